import type { SearchIndex } from '../../../src/domain/search/search-index.ts'
import { cutDocument } from '../../../src/domain/search/text/cut-document.ts'
import { handbook } from './handbook.ts'

interface LabelledQuestion {
  readonly language: string
  readonly question: string
  /** The one page that answers it. */
  readonly page: string
}

/** As people ask, which is seldom in the words of the page; the page that answers stands behind. */
const questions = `
How many days of holiday do I get?|en/leave
what happens to leave I did not take by March|en/leave
I got sick on my vacation, do I get the days back? doctor's certificate|en/leave
How long may parents stay at home with a child?|en/parental
notice period parental leave|en/parental
may I fly or do I have to take the train|en/travel
hotel limit in Zurich|en/travel
deadline for handing in receipts|en/travel
my laptop was stolen, whom do I call?|en/laptops
when will my laptop be replaced|en/laptops
how long are database backups kept?|en/backup
restore a database to a point in time|en/backup
what is severity one|en/incident
who writes the post-mortem and how soon|en/incident
pg_upgrade link option steps|en/postgres
can we roll back the postgres upgrade?|en/postgres
vegan lunch|en/canteen
top up staff card|en/canteen
where do guests park|en/visitors
charging an electric car|en/visitors
varroa treatment|en/beekeeping
Wie viele Tage Urlaub habe ich?|de/urlaub
Darf ich im Ausland von zu Hause arbeiten?|de/homeoffice
Wer bezahlt den Bildschirm?|de/homeoffice
Störung F28 am Kessel|de/heizung
Welcher Wasserdruck ist richtig?|de/heizung
Wie kann ich aus dem Verein austreten? Austritt|de/satzung
Wie hoch ist der Beitrag?|de/satzung
Wo ist der Sammelplatz bei Feuer?|de/brandschutz
¿Cuántos días de vacaciones tengo?|es/vacaciones
¿Cuándo se cobran las pagas extra?|es/nomina
pedir un anticipo del salario|es/nomina
horario de la piscina|es/piscina
¿Qué lleva el gazpacho?|es/receta
Combien de jours de congés par an ?|fr/conges
indemnité de télétravail|fr/teletravail
ravalement de la façade|fr/copropriete
Quel jour ramasse-t-on le verre ?|fr/copropriete
combien de livres peut-on emprunter|fr/bibliotheque
年假有几天?|zh/年假
没休完的年假怎么办|zh/年假
上海出差住宿标准是多少|zh/报销
发票什么时候交|zh/报销
数据库备份保留多久|zh/数据库备份
大熊猫一天吃多少竹子|zh/大熊猫
饭卡怎么充值|zh/食堂
有給休暇は何日もらえますか|ja/休暇
結婚したときの休暇|ja/休暇
領収書の提出期限|ja/経費
タクシーは使えますか|ja/経費
地震のときの集合場所はどこ?|ja/防災
茶道教室の月謝はいくら|ja/茶道
障害が起きたら誰に電話する?|ja/サーバー
유급 휴가는 며칠입니까?|ko/휴가
전기차 충전|ko/주차장
`

export const labelledQuestions: readonly LabelledQuestion[] = questions
  .trim()
  .split('\n')
  .map(line => {
    const [question = '', page = ''] = line.split('|')
    return { language: page.slice(0, 2), question, page }
  })

export const addressOf = (page: string): string => `index:${page}.md`

export async function fillWithHandbook(index: SearchIndex): Promise<void> {
  for (const [page, markdown] of Object.entries(handbook)) {
    const { title, chunks } = cutDocument(markdown)
    await index.put({ address: addressOf(page), title: title ?? page, chunks, addedAtMs: 1 })
  }
}
