import { parseJson } from './json.ts'
import { jsonByte } from './json-bytes.ts'
import type { JsonCursor } from './json-cursor.ts'
import { createJsonNames, type JsonNames } from './json-names.ts'

/** What the choices of a completion or chunk amount to. */
export interface ChoicesScan {
  /** Elements of `choices`; 0 when it is absent or no array. */
  choiceCount: number
  /** The `index` of each choice; its place in the array where `index` is no number. */
  choiceIndexes: number[]
  /** The first `finish_reason` that is a string. */
  finishReason: string | null
  /** Those of `choiceIndexes` whose choice has a string as `finish_reason`. */
  finishedIndexes: number[]
  /**
   * Unicode code points of the text in `delta`, `message` and `text`: content as a string or as parts, reasoning, refusal,
   * names and arguments of tool calls. Of `reasoning_content` and `reasoning` the longer counts, as they repeat each other.
   */
  textCharacters: number
  /**
   * Something stands where it must not: `choices` is no array, a choice no object, its index no whole number from 0, its
   * delta or message neither an object nor null, or their content neither text, parts nor null.
   */
  malformed: boolean
}

const choiceNames = createJsonNames('index', 'finish_reason', 'delta', 'message', 'text')
const messageNames = createJsonNames('content', 'reasoning_content', 'reasoning', 'refusal', 'tool_calls')
const partNames = createJsonNames('text')
const toolCallNames = createJsonNames('function')
const functionNames = createJsonNames('name', 'arguments')

/** Adds the value of `choices` at the cursor. Values of another type than the API's are skipped and count nothing. */
export function readChoices(cursor: JsonCursor, scan: ChoicesScan): void {
  if (!enterArray(cursor)) {
    scan.malformed = true
    return
  }
  for (let first = true; cursor.nextElement(first); first = false) {
    readChoice(cursor, scan)
    scan.choiceCount++
  }
}

function readChoice(cursor: JsonCursor, scan: ChoicesScan): void {
  if (!enterObject(cursor)) {
    scan.malformed = true
    return
  }
  let index = scan.choiceCount
  let finished = false
  let seen = 0
  for (let next = cursor.nextWanted(choiceNames, seen); next !== null; next = cursor.nextWanted(choiceNames, seen)) {
    seen |= next.bit
    if (next.name === 'index') index = readNumber(cursor) ?? index
    else if (next.name === 'text') scan.textCharacters += countString(cursor)
    else if (next.name === 'finish_reason') {
      const reason = readString(cursor)
      finished = reason !== null
      scan.finishReason ??= reason
    } else scan.textCharacters += countMessage(cursor, scan)
  }
  if (!Number.isSafeInteger(index) || index < 0) scan.malformed = true
  scan.choiceIndexes.push(index)
  if (finished) scan.finishedIndexes.push(index)
}

function countMessage(cursor: JsonCursor, scan: ChoicesScan): number {
  if (cursor.peek() !== jsonByte.openBrace && cursor.peek() !== jsonByte.letterN) scan.malformed = true
  if (!enterObject(cursor)) return 0
  let characters = 0
  let reasoning = 0
  let seen = 0
  for (let next = cursor.nextWanted(messageNames, seen); next !== null; next = cursor.nextWanted(messageNames, seen)) {
    seen |= next.bit
    if (next.name === 'content') characters += countContent(cursor, scan)
    else if (next.name === 'refusal') characters += countString(cursor)
    else if (next.name === 'tool_calls') characters += sumElements(cursor, countToolCall)
    else reasoning = Math.max(reasoning, countString(cursor))
  }
  return characters + reasoning
}

function countContent(cursor: JsonCursor, scan: ChoicesScan): number {
  const first = cursor.peek()
  if (first === jsonByte.openBracket) return sumElements(cursor, countPart)
  if (first !== jsonByte.quote && first !== jsonByte.letterN) scan.malformed = true
  return countString(cursor)
}

function countPart(cursor: JsonCursor): number {
  return sumMembers(cursor, partNames, countString)
}

function countToolCall(cursor: JsonCursor): number {
  return sumMembers(cursor, toolCallNames, countFunction)
}

function countFunction(cursor: JsonCursor): number {
  return sumMembers(cursor, functionNames, countString)
}

function sumElements(cursor: JsonCursor, count: (cursor: JsonCursor) => number): number {
  if (!enterArray(cursor)) return 0
  let sum = 0
  for (let first = true; cursor.nextElement(first); first = false) sum += count(cursor)
  return sum
}

/** The sum over the members with these names. */
function sumMembers(cursor: JsonCursor, names: JsonNames<string>, count: (cursor: JsonCursor) => number): number {
  if (!enterObject(cursor)) return 0
  let sum = 0
  let seen = 0
  for (let next = cursor.nextWanted(names, seen); next !== null; next = cursor.nextWanted(names, seen)) {
    seen |= next.bit
    sum += count(cursor)
  }
  return sum
}

function enterObject(cursor: JsonCursor): boolean {
  return enter(cursor, jsonByte.openBrace)
}

function enterArray(cursor: JsonCursor): boolean {
  return enter(cursor, jsonByte.openBracket)
}

/** Steps into the value at the cursor, or over it when it is of another type. */
function enter(cursor: JsonCursor, open: number): boolean {
  if (cursor.peek() === open) {
    cursor.open()
    return true
  }
  cursor.skipValue()
  return false
}

function countString(cursor: JsonCursor): number {
  const isString = cursor.peek() === jsonByte.quote
  cursor.skipValue()
  return isString ? cursor.characters : 0
}

function readString(cursor: JsonCursor): string | null {
  if (cursor.peek() !== jsonByte.quote) {
    cursor.skipValue()
    return null
  }
  const start = cursor.position
  cursor.skipString()
  if (cursor.fault !== null) return null
  const text = cursor.bytes.toString('utf8', start, cursor.position)
  return cursor.escaped ? String(parseJson(text)) : text.slice(1, -1)
}

function readNumber(cursor: JsonCursor): number | null {
  const byte = cursor.peek()
  const start = cursor.position
  cursor.skipValue()
  const isNumber = byte === jsonByte.minus || (byte >= jsonByte.zero && byte <= jsonByte.nine)
  return isNumber && cursor.fault === null ? Number(cursor.bytes.toString('latin1', start, cursor.position)) : null
}
