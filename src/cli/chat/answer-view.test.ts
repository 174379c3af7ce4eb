import { describe, expect, it } from 'vitest'
import { createAnswerView, renderCost, renderSources } from './answer-view.ts'

const dim = (text: string) => `<${text}>`
const noTotals = { answers: 1, tokens: 10, costNano: 5n }

function shown(...pieces: readonly { readonly text?: string; readonly reasoning?: string }[]): string {
  const view = createAnswerView(dim)
  return pieces.map(piece => view.show({ text: '', reasoning: '', ...piece })).join('') + view.end()
}

describe('an answer on the screen', () => {
  it('is the text as it comes, and ends its line', () => {
    expect(shown({ text: 'Hel' }, { text: 'lo' })).toBe('Hello\n')
    expect(shown({ text: 'Hello\n' })).toBe('Hello\n')
    expect(shown()).toBe('')
  })

  it('has its reasoning dimmed and apart', () => {
    expect(shown({ reasoning: 'Hm' }, { reasoning: ', so' }, { text: 'Yes.' })).toBe('<Hm><, so>\n\nYes.\n')
    expect(shown({ reasoning: 'Hm\n' }, { text: 'Yes.' })).toBe('<Hm\n>\nYes.\n')
  })

  it('cannot steer the terminal', () => {
    expect(shown({ text: 'a\u001b[2Jb\u0007\u009b31mc\r\td\n' })).toBe('a[2Jb31mc\td\n')
  })
})

describe('below an answer', () => {
  it('stand tokens, the exact cost and the time, and from the second answer on what all of them cost', () => {
    const usage = { promptTokens: 12, completionTokens: 34, costNano: 41_000n }
    expect(renderCost(usage, noTotals, 1_234)).toBe('12 in · 34 out · 0.000041 USD · 1.2 s')
    expect(renderCost(usage, { answers: 2, tokens: 99, costNano: 1_000_000_000n }, 50)).toBe(
      '12 in · 34 out · 0.000041 USD · 0.1 s · in all 99 tokens, 1 USD',
    )
  })

  it('stands what is known when the cost is not', () => {
    expect(renderCost({ promptTokens: 1, completionTokens: 2, costNano: null }, noTotals, 0)).toContain(
      'cost not known yet',
    )
    expect(renderCost(null, noTotals, 0)).toContain('what was generated is billed')
  })

  it('stand the sources with their numbers', () => {
    expect(renderSources([{ title: 'A\u001b', url: 'https://a.example' }])).toBe('[1] A https://a.example')
  })
})
