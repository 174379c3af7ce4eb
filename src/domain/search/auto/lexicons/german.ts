import { type Lexicon, openings, words } from '../lexicon.ts'

export const german: Lexicon = {
  asks: words(`such im internet, suche im internet, such im netz, suche im netz, suche nach, such nach, google,
    recherchiere, schau nach, schlag nach, finde heraus, mit quellen, nenne quellen`),
  fresh: words(`heute, gestern, morgen, heute abend, gestern abend, jetzt, gerade, derzeit, momentan, aktuell, aktuelle,
    aktueller, aktuellen, aktuelles, neueste, neuester, neuesten, neuestes, neue studien, neuen, kürzlich, letzte woche,
    letzten monat, diese woche, diesen monat, dieses jahr, diese saison, dieses wochenende, nächste woche, bisher,
    neuigkeiten, zurzeit, zur zeit, inzwischen,
    heute nacht, heute früh, am montag, am dienstag, am mittwoch, am donnerstag, am freitag, am samstag, am sonntag, diesen sommer, diesen winter, laufend, live,
    nun, immer noch, mittlerweile`),
  live: words(`wetter, vorhersage, temperatur draußen, preis, preise, was kostet, was kosten, wie viel kostet, kurs, aktie,
    aktienkurs, börse, wechselkurs, zinsen, zinssatz, inflationsrate, nachrichten, schlagzeilen, ergebnis, ergebnisse,
    tabelle der, spielstand, verkehrslage, stau, streik, bahnstreik, flüge, tickets für, fahrplan, kinoprogramm, version
    von, unwetterwarnung, einwohnerzahl, in der nähe, umfragewerte, lieferbar, spritpreis*, benzinpreis*, strompreis*,
    visum, mindestlohn, kindergeld, bürgergeld, steuersatz, zölle, förderung, konzerte, konzert, festival*, tankstelle, spritpreise, benzin, billigste, günstigste, günstige,
    angebote, staffel, folge, finale, nationalmannschaft, transfer*, verletzung, aufstellung, entlassungen, übernahme, quartal, umsatz,
    dokumentation, api, neuerungen, kompatibel mit, miete, mietspiegel, hotels in, restaurants in, stellenangebote, waldbrand, erdbeben,
    impfempfehlung, sanktionen, urteil, prozess, gesetz, heizungsgesetz, vergleich, luftqualität, lottozahlen, pollenflug, rente,
    verspätung, fällt aus, ausfälle, pünktlich, gesperrt, sperrung, evakuier*, geräumt, warnung, todesopfer, waffenruhe, proteste, gipfel,
    torschütze*, podium in, besetzung von, vorverkauf, ausverkauft, kinocharts, abo, mietpreise, mietpreis, hypothekenzinsen, durchschnittsgehalt,
    lebenshaltungskosten, lts, offene stellen, nominiert*, testbericht*, kurs von`),
  holders: words(`wer ist der präsident, wer ist bundeskanzler, wer ist derzeit, wer ist aktuell, wer ist der chef,
    wer ist ceo, wer ist der ceo, wer ist der trainer, wer hat gewonnen, wer gewann, wer leitet, wer führt, gewonnen,
    wer trainiert, wer folgt auf, wer ersetzt, wer steht an der spitze, wer ist vorsitzender, wer ist präsident`),
  dates: words(`wann erscheint, wann kommt, wann öffnet, wann schließt, wann ist das nächste, wann ist der nächste,
    wann beginnt, öffnungszeiten, hat geöffnet, welche filme laufen, was ist passiert, heute passiert, erscheinungsdatum,
    was hat sich geändert`),
  tasks: openings(
    `schreib, schreibe, verfasse, formuliere, übersetze, übersetz, fasse den folgenden, fasse folgenden, korrigiere,
    erstelle, generiere, entwirf, erfinde, stell dir vor, spiel, erzähl mir, erzähl, gib mir ein rezept, gib mir fünf,
    schlage, schlag, berechne, löse, rechne, wandle, hilf mir, hallo, danke, guten morgen, programmiere, implementiere,
    denk dir, mach mir, vergleiche, erkläre, plane,
    beschreibe, nenne fünf, mach eine, kürze, entwerfe`,
    'bitte, kannst du, könntest du',
  ),
  explains:
    words(`erkläre, erklär, wie funktioniert, wie funktionieren, wie entsteht, wie entstehen, warum, weshalb, was ist
    ein, was ist eine, was ist der unterschied, unterschied zwischen, was bedeutet, welche aufgaben, wann wurde, wann war,
    wer hat den, wer schrieb, wie viele ecken, geschichte von, hauptstadt von, definiere,
    worum geht es in, heißt es, ohmsche gesetz, wer malte, wer komponierte, wer entdeckte, wer erfand, wird hergestellt, was heißt, wie viele spieler, vergleiche,
    in welchem jahr, wie weit, was macht ein, was macht eine, worin unterscheiden, was unterscheidet, wofür, wogegen, wer folgte,
    wer war, wo liegt, wann starb, welche sprache, wie viele, was für ein, wie wird, wie lang ist, was heißt`),
  state:
    words(`lebt, noch verheiratet, ist noch, noch offen, schon draußen, schon raus, ist es sicher, brauche ich ein, brauche ich, was hat, was ändert sich,
    wann spielt, wann spielen, wo kann ich, gab es, gibt es, hat die, gestorben, zurückgetreten, angekündigt, verboten, wird es, findet statt, läuft,
    ist der streik, hat * offen, offen, geöffnet, gesperrt, veröffentlicht, beigetreten, zugestimmt, verabschiedet, soll ich mir, soll ich kaufen, lohnt sich, wurden wegen`),
  roles: words(`du bist jetzt, du bist ein, du bist eine, spiel die rolle, tu so, prüfe mich, frag mich ab`),
  personal:
    words(`bin nervös, ich bin traurig, ich fühle, mein chef, meine chefin, meine freundin, mein freund, meine mutter, mein vater, habe ich gelernt,
    hast du tipps, meine hausaufgaben, mein aufsatz,
    ich kann nicht schlafen, mein hund, mein sohn, meine tochter`),
}
