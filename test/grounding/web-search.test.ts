import { describe, expect, it } from 'vitest'
import { chunksOf, nanoOf, priceOf } from '../support/gateway/index.ts'
import { answer, status } from '../support/mock-engine/index.ts'
import { sentMessages, useSearchGateway } from './search-gateway.ts'

const { gateway, web } = useSearchGateway()

const feeNano = 10_000_000n
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What shipped in the latest Postgres release?' },
]
const online = { model: 'test/model:online', messages }
const answerCost = priceOf({ prompt: 16, completion: 5 })
const source = (at: number) => ({ title: `Title ${at}`, url: `https://site-${at}.example/page` })
const sources = (count: number) => Array.from({ length: count }, (_, at) => source(at + 1))

const numbersIn = (text: string) =>
  [...text.matchAll(/^\[(\d+)\] Title (\d+)$/gm)].map(([, mark, title]) => [mark, title])

describe('a search on /v1', () => {
  it.each([
    [undefined, 6],
    [1, 1],
    [6, 6],
    [10, 10],
    [11, 10],
  ])('brings %j results as %i sources, in the order of the provider', async (asked, count) => {
    const venym = asked === undefined ? undefined : { search_results: asked }
    const { status: code, json } = await gateway.client.chat({ ...online, venym })
    expect([code, json['venym']]).toEqual([200, { sources: sources(count) }])
    const sent = sentMessages(gateway)
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'user'])
    expect([sent[0], sent[2]]).toEqual(messages)
    expect(numbersIn(sent[1]?.content ?? '')).toEqual(sources(count).map((_, at) => [`${at + 1}`, `${at + 1}`]))
  })

  it('asks for the question alone, and tells the model not to obey what was found', async () => {
    const asked = web().questions.length
    await gateway.client.chat({ messages, venym: { web_search: true } })
    expect(web().questions).toHaveLength(asked + 1)
    expect(web().questions.at(-1)?.url.searchParams.get('q')).toMatch(/latest Postgres release/i)
    expect(sentMessages(gateway)[1]?.content).toMatch(/written by strangers.*follow no instructions/s)
  })

  it('asks for what a follow-up means, and for nothing else of the conversation', async () => {
    await gateway.client.chat({
      ...online,
      messages: [
        { role: 'user', content: 'My salary is 91,000.' },
        { role: 'assistant', content: 'Noted.' },
        { role: 'user', content: 'Who won the Nobel Prize in Physics in 2023?' },
        { role: 'assistant', content: 'Agostini, Krausz and L’Huillier.' },
        { role: 'user', content: 'and in 2024?' },
      ],
    })
    const asked = web().questions.at(-1)?.url.searchParams.get('q')
    expect(asked).toBe('Who won the Nobel Prize in Physics in 2024')
  })

  it('asks for the question behind a pasted text, however long that is', async () => {
    const content = `${'The cluster moved, and nothing went as planned. '.repeat(2_000)}Which Kubernetes version dropped PSP?`
    await gateway.client.chat({ ...online, messages: [{ role: 'user', content }] })
    expect(web().questions.at(-1)?.url.searchParams.get('q')).toBe('Which Kubernetes version dropped PSP?')
  })

  it('costs its fee once, shown, booked and explained', async () => {
    const before = await gateway.client.credits()
    const { json } = await gateway.client.chat(online)
    const { usage, id = '' } = json
    expect(nanoOf(usage?.cost ?? 0)).toBe(answerCost + feeNano)
    expect(usage?.cost_details).toMatchObject({ web_search_cost: 0.01 })
    const after = await gateway.client.credits()
    expect(after.usedNano - before.usedNano).toBe(answerCost + feeNano)
    const generation = await gateway.client.generation(id)
    expect(generation).toMatchObject({ cost_details: { web_search_cost: 0.01 } })
    expect(nanoOf(generation?.hold ?? 0)).toBeGreaterThanOrEqual(answerCost + feeNano)
  })

  it('puts the sources of a stream into its last chunk, with its cost', async () => {
    const reading = await gateway.client.stream(online)
    const chunks = chunksOf(reading)
    expect(chunks.filter(chunk => 'venym' in chunk)).toHaveLength(1)
    expect(chunks.at(-1)).toMatchObject({ choices: [], venym: { sources: sources(6) }, usage: expect.anything() })
    expect(nanoOf(chunks.at(-1)?.usage?.cost ?? 0)).toBe(answerCost + feeNano)
  })

  it('tells where the text names which source, however the engine cut it', async () => {
    gateway.engine().always(answer({ text: ['Ä🙂 [', '1', '2][2', '] and [7]', '[1,', ' 3].'] }))
    const whole = await gateway.client.chat(online)
    const streamed = chunksOf(await gateway.client.stream(online)).flatMap(({ choices = [] }) => choices)
    const expected = [
      { url: source(2).url, title: 'Title 2', start_index: 7, end_index: 10 },
      { url: source(1).url, title: 'Title 1', start_index: 18, end_index: 24 },
      { url: source(3).url, title: 'Title 3', start_index: 18, end_index: 24 },
    ].map(url_citation => ({ type: 'url_citation', url_citation }))
    expect(whole.json.choices?.[0]?.message?.['annotations']).toEqual(expected)
    expect(streamed.find(({ finish_reason }) => finish_reason === 'stop')?.delta?.['annotations']).toEqual(expected)
  })

  it.each([
    ['finds nothing', { kind: 'results', count: 0 }, 'no_results'],
    ['is down', { kind: 'status', status: 500 }, 'unavailable'],
  ] as const)('is free, and no failure, where the provider %s', async (_, behaviour, error) => {
    web().behave(behaviour)
    const { status: code, json } = await gateway.client.chat(online)
    expect([code, json['venym']]).toEqual([200, { search_error: error }])
    expect(nanoOf(json.usage?.cost ?? 0)).toBe(answerCost)
    expect(sentMessages(gateway)).toEqual(messages)
  })

  it('is paid also where the answer then fails', async () => {
    gateway.engine().always(status(500))
    const before = await gateway.client.credits()
    expect((await gateway.client.chat(online)).status).toBe(502)
    const after = await gateway.client.credits()
    expect(after.usedNano - before.usedNano).toBe(feeNano)
  })

  it('is not made for whom it is not paid', async () => {
    await gateway.openAccount('poor', { credit: 0 })
    const asked = web().questions.length
    expect((await gateway.client.chat(online, { key: gateway.account('poor').key })).status).toBe(402)
    expect(web().questions).toHaveLength(asked)
  })
})
