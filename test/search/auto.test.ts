import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { measure } from '../../bench/search-measures.ts'
import { decideSearch, judgeBySignals } from '../../src/domain/search/auto/decide-search.ts'
import { countCpuMs } from '../support/lapse.ts'
import { readLabelledPrompts } from './labelled-prompts.ts'

const nowYear = 2026
const never = new AbortController().signal
const measured = (set: Parameters<typeof readLabelledPrompts>[0]) =>
  measure(readLabelledPrompts(set).map(prompt => ({ ...prompt, decision: judgeBySignals([prompt.text], nowYear) })))

describe('auto', () => {
  it('decides for prompts in six languages, as many that need a search as do not', () => {
    const prompts = [...readLabelledPrompts('tuning'), ...readLabelledPrompts('held-out')]
    expect(prompts.length).toBeGreaterThanOrEqual(300)
    expect(new Set(prompts.map(({ language }) => language))).toEqual(new Set(['en', 'zh', 'es', 'de', 'fr', 'ja']))
    expect(prompts.filter(({ needsSearch }) => needsSearch)).toHaveLength(prompts.length / 2)
    expect(new Set(prompts.map(({ text }) => text)).size).toBe(prompts.length)
  })

  it('is no worse than it was on prompts that it was not made with', () => {
    const [all] = measured('held-out')
    expect(all?.precision).toBeGreaterThanOrEqual(0.9)
    expect(all?.recall).toBeGreaterThanOrEqual(0.85)
    const [unseen] = measured('unseen')
    expect(unseen?.precision).toBeGreaterThanOrEqual(0.9)
    expect(unseen?.recall).toBeGreaterThanOrEqual(0.85)
  })

  it.each([
    ['pt', 'Quanto custa hoje um litro de gasolina?', 'Escreva um poema sobre a chuva de hoje.'],
    ['it', 'Che tempo fa oggi a Milano?', 'Scrivi una poesia sulla pioggia.'],
    ['nl', 'Wat is vandaag het nieuws uit Den Haag?', 'Leg uit waarom de hemel blauw is.'],
    ['pl', 'Jaka jest dzisiaj pogoda w Krakowie?', 'Napisz wiersz o deszczu.'],
    ['tr', 'Bugün hava durumu nasıl?', 'Bana yağmur hakkında bir şiir yaz.'],
    ['ru', 'Какой сегодня курс доллара?', 'Объясни, почему небо голубое.'],
    ['ko', '오늘 서울 날씨 어때?', '비에 대한 시를 써줘'],
    ['id', 'Berapa harga emas hari ini?', 'Jelaskan mengapa langit biru.'],
    ['vi', 'Thời tiết Hà Nội hôm nay thế nào?', 'Viết một bài thơ về mưa.'],
    ['ar', 'ما هي أخبار اليوم؟', 'اكتب قصيدة عن المطر'],
    ['hi', 'आज दिल्ली का मौसम कैसा है?', 'समझाओ कि आसमान नीला क्यों है'],
  ])('knows the commonest words of %s', (_, fresh, timeless) => {
    expect([fresh, timeless].map(text => judgeBySignals([text], nowYear).search)).toEqual([true, false])
  })

  it('takes no notice of a line break within a phrase of its lists', () => {
    expect(judgeBySignals(['Ce livre est beau'], nowYear).signals.map(({ kind }) => kind)).not.toContain('fresh')
  })

  it('says why', () => {
    const { search, signals } = judgeBySignals(['What is the weather in Oslo today?'], nowYear)
    expect(search).toBe(true)
    expect(signals.map(({ kind, words }) => [kind, words])).toEqual(
      expect.arrayContaining([
        ['live', 'weather'],
        ['fresh', 'today'],
      ]),
    )
  })

  it('judges a follow-up together with the question that it goes on with', () => {
    expect(judgeBySignals(['What is the weather in Oslo today?', 'and in Bergen?'], nowYear).search).toBe(true)
    expect(judgeBySignals(['Write a poem about Oslo.', 'and one about Bergen?'], nowYear).search).toBe(false)
  })

  it('takes no notice of years that are long over', () => {
    expect(judgeBySignals(['Who led the party in 2026'], nowYear).score).toBeGreaterThan(
      judgeBySignals(['Who led the party in 2006'], nowYear).score,
    )
  })

  it('asks the model of the operator only where signs are not clear, and does without its opinion', async () => {
    const asked: string[] = []
    const model = (opinion: boolean | null) => ({
      needsSearch: async (question: string) => {
        asked.push(question)
        return opinion
      },
    })
    const decide = (text: string, opinion: boolean | null) =>
      decideSearch([text], { nowYear, model: model(opinion) }, never)
    expect(await decide('Write a poem about rain.', true)).toMatchObject({ search: false, by: 'signals' })
    expect(asked).toEqual([])
    expect(await decide('Are avocados any good?', true)).toMatchObject({ search: true, by: 'model' })
    expect(await decide('Are avocados any good?', null)).toMatchObject({ search: false, by: 'signals' })
    expect(asked).toHaveLength(2)
  })

  it('is quick for a message of any size', () => {
    const spentMs = countCpuMs()
    for (const piece of ['a ', '今', '{ x', 'https://', 'Ab ', '1 '])
      judgeBySignals([piece.repeat(2_000_000 / piece.length)], nowYear)
    expect(spentMs()).toBeLessThan(1_000)
  })

  it('takes no square of the time for line ends and spaces, behind each of which a sentence could begin', () => {
    const spentMs = countCpuMs()
    for (const piece of ['\n', '\n ', ';\n', '. \n'])
      for (let times = 0; times < 100; times += 1) judgeBySignals([piece.repeat(2_000)], nowYear)
    expect(spentMs()).toBeLessThan(1_000)
  })
})

it('docs/web-search.md has the figures of the prompts held out', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/web-search.md'), 'utf8')
  const rows = measured('held-out').map(({ group, prompts, precision, recall }) => [
    ...[group, `${prompts}`, precision.toFixed(3), recall.toFixed(3)],
  ])
  const autoPart = page.slice(page.indexOf('| Prompts held out'))
  const shown = [...autoPart.matchAll(/^\| (all|[a-z]{2}) +\| (\d+) +\| (\d\.\d{3}) +\| (\d\.\d{3}) +\|$/gm)]
  expect(shown.map(([, ...cells]) => cells)).toEqual(rows)
  const [unseen] = measured('unseen')
  const figures = `precision\n${unseen?.precision.toFixed(3)}, recall ${unseen?.recall.toFixed(3)}`
  expect(page).toContain(figures)
})
