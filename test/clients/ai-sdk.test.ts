import { generateText, jsonSchema, Output, RetryError, streamText } from 'ai'
import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { answer, rateLimited } from '../support/mock-engine/index.ts'
import { aiSdk, aiSdkTraits, callOf } from './ai-sdk.ts'
import { accessTo, clientsGateway, question } from './clients-gateway.ts'
import { describeClient } from './contract/describe-client.ts'
import { citySchema, lisbon } from './scenes.ts'

const gateway = useGateway(clientsGateway)

describeClient('the Vercel AI SDK', aiSdk, {
  gateway,
  traits: aiSdkTraits,
})

describe('the Vercel AI SDK, beyond the contract', () => {
  it('shows reasoning as parts of their own, and counts cached and reasoning tokens', async () => {
    gateway.engine().next(answer({ reasoning: ['Hm,', ' Lisbon.'], text: ['Sunny.'], cachedTokens: 6 }))
    const result = streamText(callOf(accessTo(gateway), question))
    expect(await result.reasoningText).toBe('Hm, Lisbon.')
    expect(await result.text).toBe('Sunny.')
    expect(await result.usage).toMatchObject({
      inputTokenDetails: { cacheReadTokens: 6, noCacheTokens: 10 },
      outputTokenDetails: { reasoningTokens: 2, textTokens: 1 },
    })
  })

  it('shows an object while it grows', async () => {
    const text = JSON.stringify(lisbon)
    gateway.engine().next(answer({ text: [text.slice(0, 12), text.slice(12, 30), text.slice(30)], everyMs: 30 }))
    const output = Output.object({ schema: jsonSchema(citySchema), name: 'city' })
    const states: unknown[] = []
    const { partialOutputStream } = streamText({ ...callOf(accessTo(gateway), question), output })
    for await (const state of partialOutputStream) states.push(state)
    expect(states.length).toBeGreaterThan(1)
    expect(states.at(-1)).toEqual(lisbon)
  })

  it('gives up when its tries are used up, and names the last failure', async () => {
    gateway.engine().always(rateLimited('one'))
    const error: unknown = await generateText({ ...callOf(accessTo(gateway), question), maxRetries: 1 }).catch(
      (thrown: unknown) => thrown,
    )
    if (!RetryError.isInstance(error)) throw error
    expect(error).toMatchObject({ reason: 'maxRetriesExceeded', lastError: { statusCode: 429 } })
    expect(gateway.engine().requests).toHaveLength(2)
  })
})
