import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompletionEvent } from '../../core/completion-event.ts'
import { isJsonObject, type JsonObject } from '../../lib/json.ts'
import { collectCompletion } from '../collect-completion.ts'
import { answerSteps, asItComes } from './answer-transforms.ts'

const stepsFor = (stripReasoning: boolean) =>
  answerSteps({ request: { answer: { stripReasoning }, choices: 1, grounding: null }, grounding: null }) ?? asItComes
const shown = stepsFor(false)
const stripped = stepsFor(true)

async function* eventsOf(deltas: readonly JsonObject[], reason = 'stop', index = 0): AsyncGenerator<CompletionEvent> {
  for (const delta of deltas)
    yield { type: 'chunk', chunk: { system_fingerprint: 'fp', choices: [{ index, delta, finish_reason: null }] } }
  yield { type: 'chunk', chunk: { choices: [{ index, delta: {}, finish_reason: reason }] } }
  yield { type: 'end' }
}

function textDeltas(pieces: readonly string[]): readonly JsonObject[] {
  return pieces.map(content => ({ content }))
}

async function messageOf(transform: typeof shown, deltas: readonly JsonObject[], reason = 'stop') {
  const { choices } = await collectCompletion(transform(eventsOf(deltas, reason)))
  const choice = Array.isArray(choices) ? choices[0] : undefined
  if (!isJsonObject(choice) || !isJsonObject(choice['message'])) throw new Error('there is no message')
  const message: JsonObject = { ...choice['message'], finish_reason: choice['finish_reason'] ?? null }
  return message
}

const texts: readonly (readonly [text: string, content: string, reasoning: string])[] = [
  ['<think>Hm.</think>Blue.', 'Blue.', 'Hm.'],
  ['Say <think>a</think>b<think>c</think>d', 'Say bd', 'ac'],
  ['<think>never ends', '', 'never ends'],
  ['no block at all </think>', 'no block at all ', ''],
  ['1 < 2, <thin>, </think', '1 < 2, <thin>, </think', ''],
  ['<think>日本語🙂</think>答え🙂', '答え🙂', '日本語🙂'],
  ['<<think>x</think>>', '<>', 'x'],
]

describe('reasoning inside the text', () => {
  it.each(texts)('is split from %s wherever it is cut', async (text, content, reasoning) => {
    for (let cut = 0; cut <= text.length; cut++) {
      const message = await messageOf(shown, textDeltas([text.slice(0, cut), text.slice(cut)]))
      expect([message['content'] ?? '', message['reasoning_content'] ?? '']).toEqual([content, reasoning])
    }
    const letters = await messageOf(shown, textDeltas([...text]))
    expect([letters['content'] ?? '', letters['reasoning_content'] ?? '']).toEqual([content, reasoning])
  })

  it.each(texts)('of %s goes with everything that strips it', async (text, content) => {
    const message = await messageOf(stripped, textDeltas([...text]))
    expect({ ...message, content: message['content'] ?? '' }).toEqual({ content, finish_reason: 'stop' })
  })

  it('never holds back more than a tag may need', async () => {
    const text = fc.stringMatching(/^[<>/think a]{0,40}$/)
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 8 }), async pieces => {
        let sent = 0
        let seen = 0
        const events = async function* (): AsyncGenerator<CompletionEvent> {
          for (const content of pieces) {
            sent += content.length
            yield { type: 'chunk', chunk: { choices: [{ index: 0, delta: { content }, finish_reason: null }] } }
            const tags =
              pieces
                .join('')
                .match(/<\/?think>/g)
                ?.join('').length ?? 0
            expect(sent - seen).toBeLessThan('</think>'.length + tags)
          }
          yield { type: 'end' }
        }
        for await (const event of shown(events())) {
          if (event.type !== 'chunk') continue
          const text = JSON.stringify(event.chunk)
          const { choices } = JSON.parse(text) as { choices: { delta: Record<string, string> }[] }
          for (const { delta } of choices)
            seen += (delta['content'] ?? '').length + (delta['reasoning_content'] ?? '').length
        }
      }),
    )
  })

  it('is told apart for each choice', async () => {
    const mixed = async function* (): AsyncGenerator<CompletionEvent> {
      for (const [index, content] of [
        [0, '<thi'],
        [1, 'plain'],
        [0, 'nk>a'],
        [1, '<think>b'],
      ] as const)
        yield { type: 'chunk', chunk: { choices: [{ index, delta: { content }, finish_reason: null }] } }
      for (const index of [0, 1])
        yield { type: 'chunk', chunk: { choices: [{ index, delta: {}, finish_reason: 'stop' }] } }
      yield { type: 'end' }
    }
    const { choices } = await collectCompletion(shown(mixed()))
    expect(choices).toMatchObject([
      { message: { reasoning_content: 'a' } },
      { message: { content: 'plain', reasoning_content: 'b' } },
    ])
  })
})

describe('reasoning beside the text', () => {
  it.each([[{ reasoning: 'Hm' }], [{ reasoning_content: 'Hm' }], [{ reasoning: 'Hm', reasoning_content: 'Hm' }]])(
    'reads reasoning_content for %j',
    async delta => {
      expect(await messageOf(shown, [delta, { content: 'Blue.' }])).toEqual({
        reasoning_content: 'Hm',
        content: 'Blue.',
        finish_reason: 'stop',
      })
    },
  )

  it('is stripped with its details, and pieces that held nothing else are not sent', async () => {
    const deltas = [
      { role: 'assistant', content: '' },
      { content: '', reasoning_content: 'Hm' },
      { reasoning_details: [{ type: 'x' }] },
      { content: 'B' },
    ]
    const sent: CompletionEvent[] = []
    for await (const event of stripped(eventsOf(deltas))) sent.push(event)
    expect(sent.filter(({ type }) => type === 'chunk')).toHaveLength(3)
    expect(JSON.stringify(sent)).not.toContain('reasoning')
  })

  const leak = 'a thought'
  const logprob = (token: string) => ({ token, logprob: -1, bytes: null, top_logprobs: [{ token, logprob: -1 }] })
  it.each<[string, JsonObject, JsonObject?, JsonObject?]>([
    ...['reasoning', 'reasoning_content', 'reasoning_text', 'thinking', 'thought', 'thoughts'].map(
      (name): [string, JsonObject] => [name, { content: 'x', [name]: leak }],
    ),
    ['details', { content: 'x', reasoning_details: [{ type: 't', text: leak }] }],
    ['blocks', { content: 'x', thinking_blocks: [{ type: 'thinking', thinking: leak }] }],
    ['fields of another gateway', { content: 'x', provider_specific_fields: { reasoning_content: leak } }],
    [
      'parts',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: leak }] },
          { type: 'text', text: 'x' },
        ],
      },
    ],
    [
      'a call',
      { content: 'x', tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' }, thinking: leak }] },
    ],
    ['the choice', { content: 'x' }, { reasoning: leak }],
    ['what is around the choices', { content: 'x' }, {}, { reasoning: leak, extra: { thinking: leak } }],
    [
      'the log-probabilities of a block',
      { content: `<think>${leak}</think>x` },
      { logprobs: { content: ['<think>', leak, '</think>', 'x'].map(logprob) } },
    ],
    [
      'those of reasoning apart',
      { content: 'x', reasoning_content: leak },
      { logprobs: { content: [leak, 'x'].map(logprob), reasoning_content: [logprob(leak)] }, token_ids: [1, 2] },
    ],
    [
      'those of a text that they do not spell',
      { content: 'x', reasoning_content: leak },
      { logprobs: { content: [leak, 'x', '<|end|>'].map(logprob) }, token_ids: [1, 2] },
    ],
  ])('is stripped from %s', async (_, delta, choice = {}, around = {}) => {
    for (const reason of [null, 'stop']) {
      const events = async function* (): AsyncGenerator<CompletionEvent> {
        yield { type: 'chunk', chunk: { ...around, choices: [{ index: 0, finish_reason: reason, ...choice, delta }] } }
        if (reason === null)
          yield { type: 'chunk', chunk: { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] } }
        yield { type: 'end' }
      }
      const answer = await collectCompletion(stripped(events()))
      expect(answer).toMatchObject({ choices: [{ message: { content: 'x' } }] })
      expect(JSON.stringify(answer)).not.toMatch(/thought|think|reasoning/)
    }
  })

  it('leaves the log-probabilities of the text, which are its last tokens', async () => {
    const logprobs = { content: ['Hm', '.', 'Bl', 'ue'].map(logprob), refusal: null }
    const events = async function* (): AsyncGenerator<CompletionEvent> {
      const delta = { content: 'Blue', reasoning_content: 'Hm.' }
      yield { type: 'chunk', chunk: { choices: [{ index: 0, finish_reason: 'stop', logprobs, delta }] } }
      yield { type: 'end' }
    }
    const { choices } = await collectCompletion(stripped(events()))
    expect(choices).toMatchObject([{ logprobs: { content: ['Bl', 'ue'].map(logprob), refusal: null } }])
  })

  it('hands details and thought signatures through untouched otherwise', async () => {
    const delta = { content: 'x', reasoning_details: [{ type: 't', data: 'd' }], thought_signature: 's' }
    expect(await messageOf(shown, [delta])).toMatchObject(delta)
  })
})

describe('the reason of the end', () => {
  const calls = [{ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }] }]
  it.each([
    ['stop', 'tool_calls'],
    ['tool_calls', 'tool_calls'],
    ['function_call', 'tool_calls'],
    ['eos', 'tool_calls'],
    ['length', 'length'],
    ['max_tokens', 'length'],
    ['content_filter', 'content_filter'],
  ])('of an answer with tool calls is %s → %s', async (reason, expected) => {
    expect((await messageOf(shown, calls, reason))['finish_reason']).toBe(expected)
  })

  it.each([
    ['eos', 'stop'],
    ['end_turn', 'stop'],
    ['constructor', 'stop'],
    ['model_length', 'length'],
    ['abort', 'length'],
    ['safety', 'content_filter'],
  ])('is one of the four that clients know: %s → %s', async (reason, expected) => {
    expect((await messageOf(shown, [{ content: 'x' }], reason))['finish_reason']).toBe(expected)
  })

  it('of an answer without tool calls stays', async () => {
    expect((await messageOf(shown, [{ content: 'x', tool_calls: [] }]))['finish_reason']).toBe('stop')
  })
})

it('the fingerprint of the engine’s build never leaves', async () => {
  expect(await collectCompletion(shown(eventsOf([{ content: 'x' }])))).not.toHaveProperty('system_fingerprint')
})

it('what the engine bills the operator never leaves', async () => {
  async function* billed(): AsyncGenerator<CompletionEvent> {
    yield { type: 'chunk', chunk: { cost: { usd: 99 }, choices: [{ index: 0, delta: { content: 'x' } }] } }
    const cost = { cost: 0.5, cost_details: { upstream: 0.4 }, is_byok: true }
    yield { type: 'usage', usage: { prompt_tokens: 1, completion_tokens: 2, ...cost } }
    yield { type: 'end' }
  }
  const events: CompletionEvent[] = []
  for await (const event of shown(billed())) events.push(event)
  expect(events).toHaveLength(3)
  expect(JSON.stringify(events)).not.toMatch(/cost|byok/)
  expect(events[1]).toEqual({ type: 'usage', usage: { prompt_tokens: 1, completion_tokens: 2 } })
})
