import { describe, expect, it } from 'vitest'
import { chunksOf, nanoOf, priceOf } from '../support/gateway/index.ts'
import { dataUrl, makePicture } from '../support/media/pictures.ts'
import { answer } from '../support/mock-engine/index.ts'
import { sentMessages, useSearchGateway } from './search-gateway.ts'

const { gateway, web } = useSearchGateway({ models: { 'test/model': { capabilities: { vision: true } } } })

const path = '/api/v1/chat/completions'
const question = 'What shipped in the latest Postgres release?'
const answerCost = priceOf({ prompt: 16, completion: 5 })
const feeNano = 10_000_000n
const citation = (at: number) => ({
  title: `Title ${at}`,
  url: `https://site-${at}.example/page`,
  content: expect.stringContaining(`Text ${at}`),
  date: expect.any(String),
})
const citations = Array.from({ length: 10 }, (_, at) => citation(at + 1))

function bodyWith(settings: object, content: unknown = question) {
  const messages = [{ role: 'user', content }]
  return {
    model: 'test/model',
    messages,
    venice_parameters: { include_venice_system_prompt: false, enable_web_search: 'on', ...settings },
  }
}

async function ask(settings: object, content: unknown = question) {
  const body = JSON.stringify(bodyWith(settings, content))
  const { status, json } = await gateway.client.send(path, { method: 'POST', body })
  expect([status, json]).toEqual([200, expect.anything()])
  const cost = json['cost'] as { usd: number }
  return { json, cost: nanoOf(cost.usd), echo: json['venice_parameters'] as Record<string, unknown> }
}

const streamed = async (settings: object) => chunksOf(await gateway.client.stream(bodyWith(settings), { path }))

describe('a search on /api/v1', () => {
  it('gives ten citations with the answer, and costs its fee once', async () => {
    const { echo, cost } = await ask({})
    expect(echo['web_search_citations']).toEqual(citations)
    expect(cost).toBe(answerCost + feeNano)
    expect(sentMessages(gateway)[0]?.content).not.toMatch(/\^1\^/)
  })

  it('asks for marks where citations are wished, and tells where they stand', async () => {
    gateway.engine().always(answer({ text: ['Blue ^', '1,', '3^ and ^99^ [2].'] }))
    const { json } = await ask({ enable_web_citations: true })
    expect(sentMessages(gateway)[0]?.content).toMatch(/\^1\^ or \^1,3\^/)
    const named = [1, 3].map(at => ({
      type: 'url_citation',
      url_citation: { url: citation(at).url, title: `Title ${at}`, start_index: 5, end_index: 10 },
    }))
    expect(json.choices?.[0]?.message?.['annotations']).toEqual(named)
  })

  it('is told at the end of a stream to whom asks for it, and to nobody else', async () => {
    const plain = await streamed({})
    expect(JSON.stringify(plain)).not.toContain('site-1.example')
    const chunks = await streamed({ include_search_results_in_stream: true })
    expect(chunks.at(-1)).toMatchObject({ choices: [], venice_parameters: { web_search_citations: citations } })
    expect(new Set(chunks.map(({ id, created, model }) => JSON.stringify([id, created, model]))).size).toBe(1)
    expect(chunks.at(-2)).toMatchObject({
      choices: [],
      usage: expect.anything(),
      cost: { usd: 0.01 + Number(answerCost) / 1e9 },
    })
  })

  it('delivers documents as a call of a tool, before the text, streaming and not', async () => {
    const { json } = await ask({ return_search_results_as_documents: true })
    const [choice] = json.choices ?? []
    const [call] = (choice?.message?.['tool_calls'] ?? []) as { function: { arguments: string } }[]
    expect(choice?.finish_reason).toBe('tool_calls')
    expect(choice?.message?.content).toMatch(/^The engine says/)
    expect(call).toMatchObject({ id: 'web_search_call', type: 'function', function: { name: 'web_search' } })
    const { documents } = JSON.parse(call?.function.arguments ?? '') as { documents: object[] }
    expect(documents).toHaveLength(10)
    expect(documents[0]).toEqual({
      id: '1',
      title: 'Title 1',
      url: 'https://site-1.example/page',
      snippet: expect.any(String),
      published_at: expect.any(String),
    })
    const chunks = await streamed({ return_search_results_as_documents: true })
    expect(chunks[0]?.choices?.[0]?.delta?.['tool_calls']).toMatchObject([{ index: 0, id: 'web_search_call' }])
    expect(chunks.flatMap(({ choices = [] }) => choices).at(-1)?.finish_reason).toBe('tool_calls')
  })

  it('is left to the prompt by `auto`', async () => {
    const asked = web().questions.length
    const { cost, echo } = await ask({ enable_web_search: 'auto' }, 'Write a short poem about the sea.')
    expect([web().questions.length, cost, echo['web_search_citations']]).toEqual([asked, answerCost, []])
    expect((await ask({ enable_web_search: 'auto' }, 'What is the price of bitcoin today?')).cost).toBe(
      answerCost + feeNano,
    )
  })

  it.each([
    ['image_url', (url: string) => ({ type: 'image_url', image_url: { url } })],
    ['image', (image: string) => ({ type: 'image', image })],
    ['file', (file_data: string) => ({ type: 'file', file: { filename: 'chart', file_data } })],
    [
      'file without a type',
      (url: string) => ({
        type: 'file',
        file: { filename: 'chart.PNG', file_data: url.replace('image/png', 'application/octet-stream') },
      }),
    ],
  ])('is left out where the last question holds an image as %s', async (_, partOf) => {
    const asked = web().questions.length
    const url = dataUrl('image/png', await makePicture('png'))
    const { echo, cost } = await ask({}, [{ type: 'text', text: question }, partOf(url)])
    expect(web().questions).toHaveLength(asked)
    expect([echo['search_error'], cost]).toEqual(['image', answerCost])
  })

  it('fails for nobody, and says so', async () => {
    web().behave({ kind: 'status', status: 500 })
    const { cost, echo } = await ask({})
    expect([cost, echo['search_error'], echo['web_search_citations']]).toEqual([answerCost, 'unavailable', []])
  })
})
