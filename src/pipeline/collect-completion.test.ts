import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CompletionEvent } from '../core/completion-event.ts'
import { GatewayError } from '../core/gateway-error.ts'
import type { JsonObject } from '../lib/json.ts'
import { collectCompletion } from './collect-completion.ts'
import { expandCompletion } from './expand-completion.ts'

async function* toAsync(events: Iterable<CompletionEvent>): AsyncGenerator<CompletionEvent> {
  yield* events
}

const unknownMembers = fc.dictionary(
  fc.stringMatching(/^x_[a-z]{1,8}$/),
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.integer(), { maxLength: 3 })),
  { maxKeys: 3 },
)

const toolCalls = fc.uniqueArray(fc.stringMatching(/^call_[a-z0-9]{4}$/), { maxLength: 3 }).chain(ids =>
  fc.tuple(
    ...ids.map(id =>
      fc.record({
        id: fc.constant(id),
        type: fc.constant('function'),
        function: fc.record({ name: fc.string(), arguments: fc.string() }),
      }),
    ),
  ),
)

const messages = fc
  .tuple(fc.option(fc.string()), fc.option(fc.string(), { nil: undefined }), toolCalls, unknownMembers)
  .map(([content, reasoning, calls, extra]) => ({
    role: 'assistant',
    content,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...extra,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }))

const completions = fc
  .tuple(fc.array(fc.tuple(messages, unknownMembers), { minLength: 1, maxLength: 4 }), unknownMembers, unknownMembers)
  .map(([choices, extra, usageExtra]) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    ...extra,
    choices: choices.map(([message, more], index) => ({ index, finish_reason: 'stop', ...more, message })),
    usage: { prompt_tokens: 1, completion_tokens: 2, ...usageExtra },
  }))

it('collecting what was expanded gives the same answer, members unknown to us included', async () => {
  await fc.assert(
    fc.asyncProperty(completions, async completion => {
      const collected = await collectCompletion(toAsync(expandCompletion(completion as unknown as JsonObject)))
      expect(collected).toEqual(completion)
    }),
  )
})

it('joins text, reasoning and arguments that arrive cut at any place', async () => {
  const text = 'Grüße 🙂 und mehr'
  for (let cut = 0; cut <= text.length; cut += 1) {
    const pieces = [text.slice(0, cut), text.slice(cut)]
    const events = pieces.map(
      (piece): CompletionEvent => ({
        type: 'chunk',
        chunk: { choices: [{ index: 0, delta: { content: piece, reasoning_content: piece } }] },
      }),
    )
    const collected = await collectCompletion(toAsync(events))
    expect(collected['choices']).toEqual([{ index: 0, message: { content: text, reasoning_content: text } }])
  }
})

it('keeps two tool calls apart that an engine numbers alike', async () => {
  const piece = (call: JsonObject): CompletionEvent => ({
    type: 'chunk',
    chunk: { choices: [{ index: 0, delta: { tool_calls: [call] } }] },
  })
  const collected = await collectCompletion(
    toAsync([
      piece({ index: 0, id: 'a', type: 'function', function: { name: 'one', arguments: '{"x"' } }),
      piece({ index: 0, function: { arguments: ':1}' } }),
      piece({ index: 0, id: 'b', type: 'function', function: { name: 'two', arguments: '{}' } }),
    ]),
  )
  expect(collected['choices']).toMatchObject([
    {
      message: {
        tool_calls: [
          { id: 'a', function: { name: 'one', arguments: '{"x":1}' } },
          { id: 'b', function: { name: 'two', arguments: '{}' } },
        ],
      },
    },
  ])
})

it('a fault in the stream is the fault of the whole answer', async () => {
  const error = new GatewayError('upstream_error', 'broken')
  await expect(collectCompletion(toAsync([{ type: 'fault', error }]))).rejects.toBe(error)
})
