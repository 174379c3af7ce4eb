import { describe, expect, it } from 'vitest'
import { decodeAnswerPiece, decodeGenerationUsage, decodeModelIds } from './decode-answer.ts'

const empty = { id: '', text: '', reasoning: '', finishReason: null, usage: null, sources: [], error: null }

describe('an event of a stream', () => {
  it.each([
    [
      { id: 'chatcmpl-1', choices: [{ delta: { content: 'Hi' } }] },
      { id: 'chatcmpl-1', text: 'Hi' },
    ],
    [{ choices: [{ delta: { reasoning_content: 'Hm' } }] }, { reasoning: 'Hm' }],
    [{ choices: [{ delta: { reasoning: 'Hm' } }] }, { reasoning: 'Hm' }],
    [{ choices: [{ delta: { content: null }, finish_reason: 'stop' }] }, { finishReason: 'stop' }],
    [
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, cost: 0.000000007 } },
      { usage: { promptTokens: 3, completionTokens: 4, costNano: 7n } },
    ],
    [
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } },
      { usage: { promptTokens: 3, completionTokens: 4, costNano: null } },
    ],
    [
      { choices: [], venym: { sources: [{ title: 'T', url: 'https://t.example' }] } },
      { sources: [{ title: 'T', url: 'https://t.example' }] },
    ],
    [{ error: { message: 'No.' } }, { error: 'No.' }],
    [{ error: {} }, { error: 'The gateway gave no reason.' }],
    [
      { choices: 'x', usage: { prompt_tokens: -1, completion_tokens: 'y' } },
      { usage: { promptTokens: 0, completionTokens: 0, costNano: null } },
    ],
    [{}, {}],
  ])('%j is read', (event, piece) => {
    expect(decodeAnswerPiece(event)).toEqual({ ...empty, ...piece })
  })

  it('has its cost to the nano-USD, also where it is large', () => {
    const { usage } = decodeAnswerPiece({ usage: { cost: 1234.567890123 } })
    expect(usage?.costNano).toBe(1_234_567_890_123n)
  })
})

it('the models of a list are their ids, whatever else stands there', () => {
  expect(decodeModelIds({ data: [{ id: 'a' }, { id: 1 }, null, { id: 'b' }] })).toEqual(['a', 'b'])
  expect(decodeModelIds({ error: {} })).toEqual([])
})

it('a stopped answer’s usage is that of its record', () => {
  expect(decodeGenerationUsage({ data: { total_cost: 0.5, tokens_prompt: 1, tokens_completion: 2 } })).toEqual({
    promptTokens: 1,
    completionTokens: 2,
    costNano: 500_000_000n,
  })
  expect(decodeGenerationUsage({ data: {} })).toBeNull()
  expect(decodeGenerationUsage(null)).toBeNull()
})
