import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOpenAiEngine } from '../../src/adapters/engines/openai-engine.ts'
import type { Engine } from '../../src/domain/engines/engine.ts'
import type { EngineCall } from '../../src/domain/engines/types.ts'
import { isJsonObject, type JsonObject } from '../../src/lib/json.ts'
import { collectCompletion } from '../../src/pipeline/collect-completion.ts'
import { engineCall } from '../support/engine-call.ts'
import * as mock from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { errorOf, eventsOf } from './collect-events.ts'
import { hostedOptions } from './hosted-engine.ts'

const never = new AbortController().signal

let node: mock.MockEngine
let engine: Engine

beforeEach(async () => {
  node = await mock.startMockEngine()
  engine = createOpenAiEngine({
    ...hostedOptions(node.url),
    preset: 'ollama',
    maxTokensField: 'max_tokens',
    xSearch: {},
  })
})

afterEach(async () => {
  await engine.close()
  await node.close()
})

function callFor(choices: number, fields: JsonObject = {}): EngineCall {
  return engineCall('Hi', { n: choices, temperature: 0.5, ...fields })
}

async function completion(call: EngineCall) {
  const reply = await engine.open(call, never)
  if (reply.kind !== 'events') throw new Error('the engine gave bytes')
  const { choices, usage } = await collectCompletion(reply.events)
  const all = Array.isArray(choices) ? choices.filter(isJsonObject) : []
  return {
    usage,
    choices: all.map(({ index, message, finish_reason: reason }) => [index, Object(message).content, reason]),
  }
}

function answers(...behaviours: mock.Behaviour[]): void {
  node.next(...behaviours)
}

describe('several choices of an engine that gives one', () => {
  it.each([true, false])('are as many calls at a time, each for one, streamed: %s', async stream => {
    answers(mock.answer({ text: 'one' }), mock.answer({ text: 'two' }), mock.answer({ text: 'three' }))
    const { choices } = await completion(callFor(3, { stream }))
    expect(choices.map(([index]) => index)).toEqual([0, 1, 2])
    expect(choices.map(([, text]) => text).sort()).toEqual(['one', 'three', 'two'])
    expect(choices.every(([, , reason]) => reason === 'stop')).toBe(true)
    expect(node.requests).toHaveLength(3)
    for (const { body } of node.requests) {
      expect(body).toMatchObject({ stream: true, stream_options: { include_usage: true }, temperature: 0.5 })
      expect(body).not.toHaveProperty('n')
    }
  })

  it('cost the prompt once and the output of each', async () => {
    answers(mock.answer({ chunks: 3, promptTokens: 16 }), mock.answer({ chunks: 4, promptTokens: 17 }))
    expect((await completion(callFor(2))).usage).toMatchObject({
      prompt_tokens: 17,
      completion_tokens: 7,
      total_tokens: 24,
      completion_tokens_details: { reasoning_tokens: 0 },
    })
  })

  it('have no usage when one of them reports none, and a wrong one when one is wrong', async () => {
    answers(mock.answer(), mock.answer({ usage: mock.usagePlans.missing }))
    expect((await completion(callFor(2))).usage).toBeUndefined()
    answers(mock.answer(), mock.answer({ usage: mock.usagePlans.negative }))
    expect(Object((await completion(callFor(2))).usage).completion_tokens).toBeLessThan(0)
  })

  it('are relayed as they come, also from an engine that answers one call after the other', async () => {
    answers(mock.answer({ text: 'early' }), mock.delayed(150, mock.answer({ text: 'late' })))
    const events = await eventsOf(await engine.open(callFor(2, { stream: true }), never))
    const order = events.flatMap(event =>
      event.type === 'chunk' && Array.isArray(event.chunk['choices']) ? event.chunk['choices'] : [],
    )
    expect(Object(order[0]).index).not.toBe(Object(order.at(-1)).index)
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['usage', 'end'])
  })

  it.each([400, 429, 503])('are refused as one call is: %s', async status => {
    node.always(mock.status(status))
    expect(await errorOf(await engine.open(callFor(3), never))).toMatchObject({ status })
  })

  it('fail together when one of them is refused later, or breaks off', async () => {
    const long = () => mock.answer({ chunks: 500, everyMs: 10 })
    for (const bad of [
      mock.delayed(50, mock.status(500)),
      mock.reset({ chunks: 2 }),
      mock.garbageAfter(2, 'notJson'),
    ]) {
      answers(long(), bad, long())
      const reply = await engine.open(callFor(3, { stream: true }), never)
      await expect(eventsOf(reply)).rejects.toMatchObject({ name: 'EngineFault' })
      await waitFor('the others to be stopped', () => node.requests.every(({ endedAt }) => endedAt !== undefined))
      node.forget()
    }
  })

  it('fail together when the node goes away before any answer', async () => {
    node.crash()
    await expect(engine.open(callFor(3), never)).rejects.toMatchObject({ kind: 'connect_refused' })
    await node.refuse(false)
  })

  it('end together when the caller leaves, before the first answer and after it', async () => {
    for (const behaviour of [mock.hang('before-headers'), mock.answer({ chunks: 500, everyMs: 10 })]) {
      node.always(behaviour)
      const leaving = new AbortController()
      const reading = engine.open(callFor(3, { stream: true }), leaving.signal).then(eventsOf)
      await waitFor('three calls', () => node.requests.length === 3)
      leaving.abort()
      await expect(reading).rejects.toMatchObject({ kind: 'aborted' })
      await waitFor('all calls to end', () => node.requests.every(({ ending }) => ending === 'peer-closed'))
      node.forget()
    }
  })

  it('end together when nobody reads on', async () => {
    node.always(mock.answer({ chunks: 500, everyMs: 10 }))
    const reply = await engine.open(callFor(3, { stream: true }), never)
    if (reply.kind === 'events') for await (const _event of reply.events) break
    await waitFor('all calls to end', () => node.requests.every(({ ending }) => ending === 'peer-closed'))
  })
})

it('one choice passes as it came', async () => {
  const reply = await engine.open(callFor(1), never)
  expect(reply.kind).toBe('bytes')
  expect(node.requests[0]?.body).toMatchObject({ n: 1 })
})

it('an engine that gives several is asked once', async () => {
  const capable = createOpenAiEngine({
    ...hostedOptions(node.url),
    preset: 'vllm',
    maxTokensField: 'max_tokens',
    xSearch: {},
  })
  await capable.open(callFor(3), never)
  expect(node.requests.map(({ body }) => body?.['n'])).toEqual([3])
  await capable.close()
})
