import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai'
import { createVenice } from 'venice-ai-sdk-provider'
import { describe, expect, it } from 'vitest'
import { nanoOf, priceOf, useGateway } from '../../support/gateway/index.ts'
import { stretched } from '../../support/lapse.ts'
import { answer } from '../../support/mock-engine/index.ts'
import { waitFor } from '../../support/wait-for.ts'
import { accessTo, question, testModel } from '../clients-gateway.ts'
import {
  callToolsThenAnswer,
  citySchema,
  lisbon,
  toolAnswer,
  toolCalls,
  type WeatherInput,
  weatherIn,
  weatherTool,
} from '../scenes.ts'
import { strictGateway, strictSurface } from './strict-gateway.ts'

const gateway = useGateway(strictGateway)

function call(account = 'main') {
  const { baseUrl, key } = accessTo(gateway, account, strictSurface)
  const venice = createVenice({ baseURL: baseUrl, apiKey: key, supportsStructuredOutputs: true })
  return { model: venice(testModel), prompt: question.prompt, maxRetries: 0 }
}

describe('the provider that the AI SDK has for this API', () => {
  it('sends its own settings, and shows the cost', async () => {
    const providerOptions = { venice: { veniceParameters: { enableWebSearch: 'auto' } } }
    const { text, providerMetadata } = await generateText({ ...call(), providerOptions })
    expect(text).toContain(gateway.secrets.answer)
    const { cost } = (providerMetadata?.['venice'] ?? {}) as { cost?: { usd: number } }
    expect(nanoOf(cost?.usd ?? -1)).toBe(priceOf({ prompt: 16, completion: 5 }))
  })

  it('streams text and reasoning, each by itself, and then usage', async () => {
    gateway.engine().next(answer({ text: ['<think>Hm,', ' Lisbon.</think>', 'Sun', 'ny.'] }))
    const result = streamText(call())
    const pieces: string[] = []
    for await (const piece of result.textStream) pieces.push(piece)
    expect(pieces.join('')).toBe('Sunny.')
    expect(await result.reasoningText).toBe('Hm, Lisbon.')
    expect(await result.usage).toMatchObject({ inputTokens: 16, outputTokens: 4 })
  })

  it('runs the tools that the model calls and gives the results back', async () => {
    gateway.engine().always(callToolsThenAnswer)
    const uses: WeatherInput[] = []
    const weather = tool({
      description: weatherTool.description,
      inputSchema: jsonSchema<WeatherInput>(weatherTool.parameters),
      execute: input => {
        uses.push(input)
        return weatherIn(input)
      },
    })
    const tools = { [weatherTool.name]: weather }
    const { text } = await generateText({ ...call(), tools, stopWhen: stepCountIs(4) })
    expect(text).toBe(toolAnswer)
    expect(uses).toEqual(toolCalls.map(({ arguments: given }) => JSON.parse(given)))
  })

  it('gets an object that fits its JSON schema', async () => {
    gateway.engine().next(answer({ text: [JSON.stringify(lisbon)] }))
    const output = Output.object({ schema: jsonSchema(citySchema), name: 'city' })
    expect((await generateText({ ...call(), output })).output).toEqual(lisbon)
  })

  it('fails with the status and the words of the gateway', async () => {
    const failed = generateText(call('broke'))
    await expect(failed).rejects.toMatchObject({
      name: 'AI_APICallError',
      statusCode: 402,
      responseBody: expect.stringContaining('Insufficient USD or Diem balance'),
    })
  })

  it('stops the engine when it leaves a stream', async () => {
    gateway.engine().next(answer({ chunks: 900, everyMs: 20 }))
    const leaving = new AbortController()
    const { textStream } = streamText({ ...call(), abortSignal: leaving.signal, onError: () => undefined })
    for await (const _ of textStream) leaving.abort()
    await waitFor('the engine to be left', () => gateway.engine().requests[0]?.closedByPeerAt, {
      withinMs: stretched(1_000),
    })
  })
})
