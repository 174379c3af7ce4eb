import { type CodePointRange, invertRanges, namedRanges, type PatternNode } from './pattern-node.ts'
import { type PatternText, refusePattern } from './pattern-text.ts'

const controls: ReadonlyMap<string, number> = new Map([
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['f', 0x0c],
  ['v', 0x0b],
  ['0', 0],
])

const backspace = 0x08
const codePointMax = 0x10ffff

/** What follows a backslash: one code point, or the set that a letter stands for. */
export function readEscape(text: PatternText): number | readonly CodePointRange[] {
  const char = text.next()
  const named = namedRanges.get(char) ?? controls.get(char)
  if (named !== undefined) return named
  if (char === 'x') return readHex(text, /^([0-9a-f]{2})/i)
  if (char === 'u') return readHex(text, /^(?:([0-9a-f]{4})|\{([0-9a-f]{1,6})\})/i)
  // Letters and digits that are not named above mean back references, properties of Unicode, or nothing.
  if (/[a-z1-9]/i.test(char)) return refusePattern('uses a back reference or a property of Unicode')
  return char.codePointAt(0) ?? 0
}

function readHex(text: PatternText, expression: RegExp): number {
  const found = text.takeMatch(expression)
  const codePoint = found === null ? Number.NaN : Number.parseInt(found[1] ?? found[2] ?? '', 16)
  return codePoint <= codePointMax ? codePoint : refusePattern('has an escape that is not complete')
}

/** What stands between square brackets; the first bracket is read already. */
export function readClass(text: PatternText): PatternNode {
  const inverted = text.take('^')
  const ranges: CodePointRange[] = []
  while (!text.take(']')) {
    const first = readClassItem(text)
    if (typeof first !== 'number') ranges.push(...first)
    else ranges.push([first, readRangeEnd(text, first)])
  }
  return { kind: 'set', ranges: inverted ? invertRanges(ranges) : ranges }
}

function readRangeEnd(text: PatternText, first: number): number {
  if (!text.sees('-') || text.sees('-]')) return first
  text.take('-')
  const last = readClassItem(text)
  if (typeof last !== 'number' || last < first) return refusePattern('has a range that ends before it begins')
  return last
}

function readClassItem(text: PatternText): number | readonly CodePointRange[] {
  const char = text.next()
  if (char !== '\\') return char.codePointAt(0) ?? 0
  return text.take('b') ? backspace : readEscape(text)
}
