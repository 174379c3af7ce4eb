import OpenAI from 'openai'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answer, type MockEngine, rateLimited, startMockEngine } from './index.ts'

let engine: MockEngine
let client: OpenAI

beforeEach(async () => {
  engine = await startMockEngine()
  client = new OpenAI({ baseURL: engine.url, apiKey: 'k', maxRetries: 0 })
})
afterEach(() => engine.close())

const messages = [{ role: 'user' as const, content: 'hello' }]

test('the official client reads a completion with tool calls', async () => {
  engine.always(answer({ toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Bern"}' }] }))
  const completion = await client.chat.completions.create({ model: 'm', messages })
  expect(completion.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { arguments: '{"city":"Bern"}' } })
})

test('the official client puts a stream together', async () => {
  engine.always(answer({ text: 'one two three', everyMs: 2 }))
  const stream = client.chat.completions.stream({ model: 'm', messages, stream_options: { include_usage: true } })
  const completion = await stream.finalChatCompletion()
  expect(completion.choices[0]?.message.content).toBe('one two three')
  expect(completion.usage?.completion_tokens).toBe(3)
})

test('the official client gets errors by class', async () => {
  engine.always(rateLimited('one'))
  await expect(client.chat.completions.create({ model: 'm', messages })).rejects.toBeInstanceOf(OpenAI.RateLimitError)
})
