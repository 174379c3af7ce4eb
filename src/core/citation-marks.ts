import { countCodePoints } from '../lib/code-points.ts'
import { createCodeWatch } from './code-watch.ts'
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
  /** Marks that are known with this piece of the text, in their order. */
  push(text: string): readonly CitationMark[]
  /** Those that are known now that the text has ended; `isWhole` where the model ended it, and no limit. */
  end(isWhole: boolean): readonly CitationMark[]
}

const number = '[1-9]\\d?'
const numbers = `${number}(?: ?, ?${number}){0,19}`
/** Ends of lines and runs of ticks or tildes tell what is code. */
const code = '(?<line>\\n)|(?<ticks>(?:(?<!\\\\)`)+|~{3,})'
const begunCode = '\\\\`{0,99}|`{1,99}|~{1,99}|[\\ud800-\\udbff]'

interface Patterns {
  readonly token: RegExp
  /** What a later piece can go on with; a piece may also end within a character that takes two units. */
  readonly begun: RegExp
  /** A mark without its end, which some models leave out at the end of what they say. */
  readonly unclosed: RegExp | null
}

const patterns: Readonly<Record<MarkStyle, Patterns>> = {
  brackets: {
    token: new RegExp(`${code}|\\[(?<numbers>${numbers})\\]`, 'g'),
    begun: new RegExp(`(?:\\[[\\d, ]{0,99}|${begunCode})$`),
    unclosed: null,
  },
  carets: {
    token: new RegExp(`${code}|\\^(?<numbers>${numbers})\\^`, 'g'),
    begun: new RegExp(`(?:\\^[\\d, ]{0,99}|${begunCode})$`),
    unclosed: new RegExp(`^\\^(${numbers}) *$`),
  },
}

/** Behind these a caret makes a power of a single number. */
const base = /[\p{L}\p{N})\]}]$/u

/**
 * Finds marks in a text that comes in pieces, wherever it was cut; what looks like one in code is none. Remembers no more
 * of it than a mark that may have begun, and the marks between ticks that may not be closed.
 */
export function createMarkReader(style: MarkStyle): MarkReader {
  const { token, begun, unclosed } = patterns[style]
  const watch = createCodeWatch<CitationMark>()
  let before = 0
  let pending = ''
  let last = ''

  function read(piece: string, isEnd: boolean): readonly CitationMark[] {
    const text = pending + piece
    let at = 0
    let position = before
    const marks: CitationMark[] = []
    for (const match of text.matchAll(token)) {
      const { line, ticks, numbers: listed } = match.groups ?? {}
      const end = match.index + match[0].length
      // What still can go on is no token yet.
      if (ticks !== undefined && end === text.length && !isEnd) break
      const gap = text.slice(at, match.index)
      const start = position + countCodePoints(gap)
      watch.text(gap)
      if (line !== undefined) marks.push(...watch.line())
      else if (ticks !== undefined) marks.push(...watch.ticks(ticks))
      else if (listed !== undefined) marks.push(...watch.keep(markAt(start, match[0].length, listed)))
      at = end
      position = start + match[0].length
    }
    const open = isEnd ? null : begun.exec(text.slice(at))
    const keptFrom = open === null ? text.length : at + open.index
    const released = text.slice(at, keptFrom)
    watch.text(released)
    before = position + countCodePoints(released)
    pending = text.slice(keptFrom)
    last = keptFrom === 0 ? last : text.slice(Math.max(0, keptFrom - 2), keptFrom)
    return marks
  }

  function end(isWhole: boolean): readonly CitationMark[] {
    const [shown, listed] = (isWhole && unclosed?.exec(pending)) || []
    if (shown === undefined || listed === undefined || (!listed.includes(',') && base.test(last)))
      return [...read('', true), ...watch.end()]
    return [...watch.keep(markAt(before, shown.trimEnd().length, listed)), ...watch.end()]
  }

  return { push: piece => read(piece, false), end }
}

function markAt(start: number, length: number, listed: string): CitationMark {
  return { start, end: start + length, numbers: listed.split(',').map(Number) }
}
