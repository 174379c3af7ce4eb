import type { JsonObject } from '../../../lib/json.ts'
import type { Answer, Segment } from './compose-answer.ts'
import { tokenEnd } from './tokens.ts'

/** What one chunk carries of one choice. */
export interface Piece {
  readonly delta: JsonObject
  readonly tokens: number
  readonly kind: Segment['kind']
  /** The characters of the delta; empty for the head of a tool call. */
  readonly text: string
}

export interface PieceLimits {
  /** Tokens of the whole answer, reasoning included; infinite when it is ignored. */
  readonly tokensMax: number
  /** Tokens in one piece. */
  readonly tokensPerPiece: number
}

/** An answer in pieces, cut where its tokens are used up. Returns why it ended. */
function* answerPieces(answer: Answer, { tokensMax, tokensPerPiece }: PieceLimits): Generator<Piece, string> {
  let left = tokensMax
  for (const segment of answer.segments) {
    if (segment.head !== null) {
      if (left === 0) return 'length'
      left -= 1
      yield { delta: segment.head, tokens: 1, kind: segment.kind, text: '' }
    }
    for (let at = 0; at < segment.text.length; ) {
      if (left === 0) return 'length'
      const { end, tokens } = findEnd(segment.text, at, Math.min(left, tokensPerPiece))
      const text = segment.text.slice(at, end)
      left -= tokens
      at = end
      yield { delta: segment.delta(text), tokens, kind: segment.kind, text }
    }
  }
  return answer.finishReason
}

function findEnd(text: string, start: number, tokensMax: number): { readonly end: number; readonly tokens: number } {
  let end = start
  let tokens = 0
  while (end < text.length && tokens < tokensMax) {
    end = tokenEnd(text, end)
    tokens += 1
  }
  return { end, tokens }
}

/** A piece of one choice, or the reason why that choice ended. */
export type ChoiceStep =
  | { readonly index: number; readonly piece: Piece }
  | { readonly index: number; readonly finishReason: string }

/** All choices at the same pace: one piece of each in turn. */
export function* takeTurns(answers: readonly Answer[], limits: PieceLimits): Generator<ChoiceStep> {
  let open = answers.map((answer, index) => ({ index, pieces: answerPieces(answer, limits) }))
  while (open.length > 0) {
    const still: typeof open = []
    for (const choice of open) {
      const next = choice.pieces.next()
      if (next.done === true) yield { index: choice.index, finishReason: next.value }
      else {
        yield { index: choice.index, piece: next.value }
        still.push(choice)
      }
    }
    open = still
  }
}
