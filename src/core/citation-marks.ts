import { countCodePoints } from '../lib/code-points.ts'
import type { MarkStyle } from './grounding.ts'

/** A mark in a text that names sources. */
export interface CitationMark {
  /** Unicode code points before its first character, and up to its last one. */
  readonly start: number
  readonly end: number
  /** The numbers as they stand in it, the first source being 1. */
  readonly numbers: readonly number[]
}

export interface MarkReader {
  /** Marks that are complete with this piece of the text, in their order. */
  push(text: string): readonly CitationMark[]
}

const number = '[1-9]\\d?'
const numbers = `${number}(?: ?, ?${number}){0,19}`

/** A piece may also end within a character that takes two units. */
const patterns: Readonly<Record<MarkStyle, { readonly whole: RegExp; readonly begun: RegExp }>> = {
  brackets: { whole: new RegExp(`\\[(${numbers})\\]`, 'g'), begun: /(?:\[[\d, ]{0,99}|[\ud800-\udbff])$/ },
  carets: { whole: new RegExp(`\\^(${numbers})\\^`, 'g'), begun: /(?:\^[\d, ]{0,99}|[\ud800-\udbff])$/ },
}

/**
 * Finds marks in a text that comes in pieces, wherever it was cut. Remembers no more of it than a mark that may have begun.
 */
export function createMarkReader(style: MarkStyle): MarkReader {
  const { whole, begun } = patterns[style]
  let before = 0
  let pending = ''
  return {
    push(piece) {
      const text = pending + piece
      let at = 0
      let position = before
      const marks: CitationMark[] = []
      for (const match of text.matchAll(whole)) {
        const start = position + countCodePoints(text.slice(at, match.index))
        const end = start + match[0].length
        marks.push({ start, end, numbers: (match[1] ?? '').split(',').map(Number) })
        at = match.index + match[0].length
        position = end
      }
      const open = begun.exec(text.slice(at))
      const keptFrom = open === null ? text.length : at + open.index
      before = position + countCodePoints(text.slice(at, keptFrom))
      pending = text.slice(keptFrom)
      return marks
    },
  }
}
