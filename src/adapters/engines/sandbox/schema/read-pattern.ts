import { anyRanges, type PatternNode } from './pattern-node.ts'
import { PatternText, refusePattern } from './pattern-text.ts'
import { readClass, readEscape } from './read-pattern-set.ts'

const lengthMax = 2_000
const nestingMax = 40
const repeatMax = 10_000

/**
 * Reads a `pattern` of JSON Schema, which is a regular expression of ECMAScript. The caller's expression is never run by
 * the platform, whose time can grow exponentially: it is read into a tree that is walked within bounds.
 * @throws SchemaRefused when it is not a simple one
 */
export function readPattern(source: string): PatternNode {
  if (source.length > lengthMax) refusePattern('is too long')
  const text = new PatternText(source)
  const pattern = readChoice(text, 0)
  if (!text.isOver) refusePattern('has a bracket too many')
  return pattern
}

function readChoice(text: PatternText, nesting: number): PatternNode {
  if (nesting > nestingMax) refusePattern('is nested too deeply')
  const options = [readSequence(text, nesting)]
  while (text.take('|')) options.push(readSequence(text, nesting))
  return options.length === 1 && options[0] !== undefined ? options[0] : { kind: 'choice', options }
}

function readSequence(text: PatternText, nesting: number): PatternNode {
  const items: PatternNode[] = []
  while (!text.isOver && !text.sees('|') && !text.sees(')')) items.push(readRepeat(readAtom(text, nesting), text))
  return { kind: 'sequence', items }
}

function readAtom(text: PatternText, nesting: number): PatternNode {
  const char = text.next()
  switch (char) {
    case '(':
      return readGroup(text, nesting)
    case '[':
      return readClass(text)
    case '.':
      return { kind: 'set', ranges: anyRanges }
    case '^':
      return { kind: 'edge', at: 'start' }
    case '$':
      return { kind: 'edge', at: 'end' }
    case '\\':
      return readEscapedAtom(text)
    case '*':
    case '+':
    case '?':
      return refusePattern('repeats nothing')
    default:
      return literal(char)
  }
}

function readGroup(text: PatternText, nesting: number): PatternNode {
  let wanted: boolean | null = null
  if (text.take('?')) {
    if (text.take('=')) wanted = true
    else if (text.take('!')) wanted = false
    else if (text.take('<')) readGroupName(text)
    else if (!text.take(':')) refusePattern('has a group of an unknown kind')
  }
  const item = readChoice(text, nesting + 1)
  if (!text.take(')')) refusePattern('has a bracket that is not closed')
  return wanted === null ? item : { kind: 'look', item, wanted }
}

function readGroupName(text: PatternText): void {
  if (text.sees('=') || text.sees('!')) refusePattern('looks behind')
  while (!text.take('>')) text.next()
}

function readEscapedAtom(text: PatternText): PatternNode {
  if (text.take('b')) return { kind: 'edge', at: 'word' }
  if (text.take('B')) return { kind: 'edge', at: 'inside' }
  const escaped = readEscape(text)
  return typeof escaped === 'number' ? { kind: 'set', ranges: [[escaped, escaped]] } : { kind: 'set', ranges: escaped }
}

function readRepeat(item: PatternNode, text: PatternText): PatternNode {
  const bounds = readRepeatBounds(text)
  if (bounds === null) return item
  // Whether a repetition is greedy makes no difference to what matches.
  text.take('?')
  const [min, max] = bounds
  if (min > repeatMax || max < min) refusePattern('repeats too often')
  return { kind: 'repeat', item, min, max }
}

function readRepeatBounds(text: PatternText): readonly [number, number] | null {
  if (text.take('*')) return [0, Number.POSITIVE_INFINITY]
  if (text.take('+')) return [1, Number.POSITIVE_INFINITY]
  if (text.take('?')) return [0, 1]
  const counted = text.takeMatch(/^\{(\d{1,9})(?:(,)(\d{0,9}))?\}/)
  if (counted === null) return null
  const min = Number(counted[1])
  if (counted[2] === undefined) return [min, min]
  return [min, counted[3] === '' ? Number.POSITIVE_INFINITY : Number(counted[3])]
}

function literal(char: string): PatternNode {
  const codePoint = char.codePointAt(0) ?? 0
  return { kind: 'set', ranges: [[codePoint, codePoint]] }
}
