import { formatUsd } from '../../core/money.ts'
import type { AnswerPiece, AnswerSource, AnswerUsage } from '../../dialects/venym/decode-answer.ts'
import type { ChatTotals } from './conversation.ts'

export type Dim = (text: string) => string

/** Control characters except tab and line feed: a model must not steer the terminal. */
const controlCharacters = /(?![\t\n])\p{Cc}/gu

/** Shows an answer while it comes: reasoning dimmed and apart, then the text. */
export interface AnswerView {
  /** What to write for a piece. */
  show(piece: Pick<AnswerPiece, 'text' | 'reasoning'>): string
  /** What to write after the last piece, so that the next thing begins a line. */
  end(): string
}

export function createAnswerView(dim: Dim): AnswerView {
  let part: 'none' | 'reasoning' | 'text' = 'none'
  let lineIsOpen = false

  function write(kind: 'reasoning' | 'text', raw: string): string {
    const text = raw.replace(controlCharacters, '')
    if (text === '') return ''
    const gap = part === 'reasoning' && kind === 'text' ? (lineIsOpen ? '\n\n' : '\n') : ''
    part = kind
    lineIsOpen = !text.endsWith('\n')
    return gap + (kind === 'reasoning' ? dim(text) : text)
  }

  return {
    show: ({ text, reasoning }) => write('reasoning', reasoning) + write('text', text),
    end: () => (lineIsOpen ? '\n' : ''),
  }
}

export function renderSources(sources: readonly AnswerSource[]): string {
  return sources
    .map(({ title, url }, index) => `[${index + 1}] ${title} ${url}`.replace(controlCharacters, ''))
    .join('\n')
}

/** Tokens, cost and duration of an answer, and what the conversation has cost so far. */
export function renderCost(usage: AnswerUsage | null, totals: ChatTotals, ms: number): string {
  const own =
    usage === null
      ? 'what was generated is billed'
      : `${usage.promptTokens} in · ${usage.completionTokens} out · ${costText(usage)}`
  const all = totals.answers > 1 ? ` · in all ${totals.tokens} tokens, ${formatUsd(totals.costNano)} USD` : ''
  return `${own} · ${(ms / 1_000).toFixed(1)} s${all}`
}

function costText({ costNano }: AnswerUsage): string {
  return costNano === null ? 'cost not known yet' : `${formatUsd(costNano)} USD`
}
