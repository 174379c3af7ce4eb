import { type Lexicon, openings, phrases, words } from '../lexicon.ts'

const nothing = /(?!)/

/** Either of them, whatever their case. */
function either(spaced: RegExp, joined: RegExp): RegExp {
  return new RegExp(`${spaced.source}|${joined.source}`, 'iu')
}

/**
 * The commonest signs in languages that have no lexicon of their own: Portuguese, Italian, Dutch, Polish, Turkish,
 * Russian, Indonesian, Vietnamese, Arabic, Hindi and, whose words have endings, Korean.
 */
export const elsewhere: Lexicon = {
  asks: either(
    words(`pesquise, procure na internet, cerca su internet, cerca online, zoek op internet, zoek online, wyszukaj, poszukaj w internecie,
    internette ara, найди в интернете, поищи, загугли, cari di internet, tìm trên mạng, ابحث عن, इंटरनेट पर खोजें`),
    phrases('검색해, 찾아봐, 찾아줘'),
  ),
  fresh: either(
    words(`hoje, ontem, amanhã, agora, atualmente, esta semana, este mês, este ano, mais recente, mais recentes,
    oggi, ieri, domani, adesso, attualmente, questa settimana, quest'anno, ultime, più recente, stasera,
    vandaag, gisteren, morgen, nu, momenteel, deze week, dit jaar, laatste, nieuwste, vanavond,
    dziś, dzisiaj, wczoraj, jutro, teraz, obecnie, w tym tygodniu, w tym roku, najnowszy, najnowsza, najnowsze,
    bugün, dün, yarın, şimdi, şu anda, bu hafta, bu yıl, son, güncel, сегодня, вчера, завтра, сейчас, на этой неделе, в этом году,
    последние, последняя, последний, текущий, текущая, hari ini, kemarin, besok, sekarang, minggu ini, terbaru, saat ini,
    hôm nay, hôm qua, ngày mai, bây giờ, hiện tại, mới nhất, tuần này, اليوم, أمس, غدا, الآن, حاليا, آخر, أحدث,
    आज, कल, अभी, ताज़ा, नवीनतम, इस हफ्ते, वर्तमान`),
    phrases('오늘, 어제, 내일, 지금, 현재, 최신, 최근, 이번 주, 올해, 요즘'),
  ),
  live: either(
    words(`preço, preços, cotação, quanto custa, previsão do tempo, tempo hoje, notícias, resultado do jogo, placar, greve, câmbio,
    prezzo, prezzi, quanto costa, quotazione, meteo, previsioni, notizie, risultato, risultati, sciopero, tasso di cambio,
    prijs, prijzen, hoeveel kost, wat kost, weer in, weerbericht, nieuws, uitslag, staking, wisselkoers,
    cena, ceny, ile kosztuje, pogoda, wiadomości, wynik meczu, strajk, kurs euro, kurs dolara,
    fiyatı, kaç lira, hava durumu, haberler, maç sonucu, grev, döviz kuru, цена, цены, сколько стоит, погода, новости, счёт матча,
    курс доллара, курс евро, забастовка, harga, berapa harga, cuaca, berita, skor, kurs, giá, bao nhiêu tiền, thời tiết, tin tức, tỷ giá,
    سعر, أسعار, الطقس, أخبار, نتيجة, कीमत, भाव, मौसम, समाचार, स्कोर`),
    phrases('가격, 얼마, 날씨, 뉴스, 경기 결과, 점수, 파업, 환율, 주가, 시세'),
  ),
  holders: either(
    words(`quem é o presidente, quem é o primeiro-ministro, quem ganhou, quem venceu, chi è il presidente, chi è il premier, chi ha vinto,
    wie is de president, wie is de premier, wie won, wie heeft gewonnen, kto jest prezydentem, kto jest premierem, kto wygrał,
    cumhurbaşkanı kim, kim kazandı, кто президент, кто премьер, кто победил, кто выиграл, siapa presiden, siapa yang menang,
    ai là tổng thống, ai thắng, من هو رئيس, من فاز, कौन जीता, कौन हैं प्रधानमंत्री`),
    phrases('대통령은 누구, 총리는 누구, 누가 이겼, 우승자'),
  ),
  dates: nothing,
  state: nothing,
  roles: nothing,
  personal: nothing,
  tasks: either(
    openings(
      `escreva, escreve, traduza, traduz, resuma o texto, scrivi, traduci, riassumi il testo, correggi, schrijf, vertaal, vat samen, napisz,
    przetłumacz, popraw, yaz, çevir, düzelt, напиши, переведи, исправь, tulis, tuliskan, terjemahkan, viết, dịch, اكتب, ترجم, लिखो, लिखें, अनुवाद`,
      'por favor, per favore, alstublieft, proszę, lütfen, пожалуйста, tolong, hãy',
    ),
    phrases('써줘, 써 줘, 번역해, 작성해, 요약해'),
  ),
  explains: either(
    words(`explique, o que é, por que, como funciona, spiega, cos'è, perché, come funziona, leg uit, wat is een, waarom, hoe werkt,
    wyjaśnij, co to jest, dlaczego, jak działa, açıkla, nedir, neden, nasıl çalışır, объясни, что такое, почему, как работает,
    jelaskan, apa itu, mengapa, giải thích, là gì, tại sao, اشرح, ما هو, لماذا, समझाओ, क्या है, क्यों`),
    phrases('설명해, 무엇인가, 이란 무엇, 왜'),
  ),
}
