import { jsonDepthMax } from './json-bounds.ts'
import { isJsonSpace, jsonByte } from './json-bytes.ts'
import { JsonError } from './json-error.ts'
import { endOfString } from './json-string.ts'

/** One member at the top level of an object, as positions in the scanned bytes. */
export interface JsonMember {
  /** The name with its escapes resolved. */
  readonly key: string
  /** The opening quote of the name. */
  readonly keyStart: number
  /** After the closing quote of the name. */
  readonly keyEnd: number
  /** The first byte of the value. */
  readonly valueStart: number
  /** After the last byte of the value; white space is not part of it. */
  readonly valueEnd: number
  /** The name is spelled with at least one escape. */
  readonly escapedKey: boolean
}

export interface JsonScan {
  readonly members: JsonMember[]
  /** Levels of objects and arrays, the scanned object being 1. */
  readonly depth: number
  /** After the object's closing brace. */
  readonly end: number
}

/** More members at the top level than any request or answer has. */
export const jsonMembersMax = 10_000

/** The deepest level met so far, and how deep it may get. */
interface Levels {
  deepest: number
  readonly depthMax: number
}

/**
 * The top-level members of the JSON object that begins at `start` (white space before it allowed). One pass, no copies.
 *
 * The object must ALREADY be known as valid JSON: the scan looks only at quotes, brackets and commas, so for invalid
 * bytes its spans mean nothing. It still ends, stays inside the buffer, and throws where the structure breaks off.
 * @throws JsonError when there is no object, or it is deeper than `depthMax` (64) or has more than 10,000 members.
 */
export function scanObject(bytes: Buffer, start = 0, options: { readonly depthMax?: number } = {}): JsonScan {
  const levels = { deepest: 0, depthMax: options.depthMax ?? jsonDepthMax }
  const members: JsonMember[] = []
  const open = afterSpace(bytes, start)
  if (bytes[open] !== jsonByte.openBrace) throw new JsonError('not an object', open)
  reach(levels, 1, open)
  let at = afterSpace(bytes, open + 1)
  while (bytes[at] !== jsonByte.closeBrace) {
    if (members.length === jsonMembersMax) throw new JsonError('too many members', at)
    if (members.length > 0) at = afterSpace(bytes, afterByte(bytes, at, jsonByte.comma))
    const member = readMember(bytes, at, levels)
    members.push(member)
    at = afterSpace(bytes, member.valueEnd)
  }
  return { members, depth: levels.deepest, end: at + 1 }
}

/**
 * A name that two members share, whatever their spelling: `"mod\u0065l"` is `"model"`. Null when all differ; the result
 * may be the empty string, so compare with null.
 */
export function findDuplicateKey(members: readonly JsonMember[]): string | null {
  const seen = new Set<string>()
  for (const { key } of members) {
    if (seen.has(key)) return key
    seen.add(key)
  }
  return null
}

function readMember(bytes: Buffer, keyStart: number, levels: Levels): JsonMember {
  const keyEnd = afterString(bytes, afterByte(bytes, keyStart, jsonByte.quote))
  const valueStart = afterSpace(bytes, afterByte(bytes, afterSpace(bytes, keyEnd), jsonByte.colon))
  const valueEnd = afterValue(bytes, valueStart, levels)
  const escapedKey = hasBackslash(bytes, keyStart, keyEnd)
  const key = escapedKey ? unescapeKey(bytes, keyStart, keyEnd) : bytes.toString('utf8', keyStart + 1, keyEnd - 1)
  return { key, keyStart, keyEnd, valueStart, valueEnd, escapedKey }
}

/** A plain loop, because a native search would run on to the end of the buffer for each name. */
function hasBackslash(bytes: Buffer, from: number, end: number): boolean {
  for (let at = from; at < end; at++) {
    if (bytes[at] === jsonByte.backslash) return true
  }
  return false
}

/** JSON.parse knows every escape; it fails only for bytes that were never valid JSON, or where the key is cut. */
function unescapeKey(bytes: Buffer, keyStart: number, keyEnd: number): string {
  try {
    return String(JSON.parse(bytes.toString('utf8', keyStart, keyEnd)))
  } catch {
    throw new JsonError('invalid escape in a string', keyStart)
  }
}

/** After the value that begins at `start`, which must be valid. @throws JsonError where it breaks off, or is too deep */
export function afterValue(bytes: Buffer, start: number, levels: Levels): number {
  const first = bytes[start]
  if (first === jsonByte.quote) return afterString(bytes, start + 1)
  if (first === jsonByte.openBrace || first === jsonByte.openBracket) return afterContainer(bytes, start, levels)
  let at = start
  while (at < bytes.length && !isScalarEnd(bytes[at] as number)) at++
  if (at === start) throw new JsonError(at < bytes.length ? 'unexpected character' : 'unexpected end', at)
  return at
}

function afterContainer(bytes: Buffer, start: number, levels: Levels): number {
  let level = 1
  let at = start
  while (at < bytes.length) {
    const byte = bytes[at++]
    if (byte === jsonByte.quote) at = afterString(bytes, at)
    else if (byte === jsonByte.openBrace || byte === jsonByte.openBracket) reach(levels, ++level, at - 1)
    else if ((byte === jsonByte.closeBrace || byte === jsonByte.closeBracket) && --level === 1) return at
  }
  throw new JsonError('unexpected end', at)
}

function afterString(bytes: Buffer, from: number): number {
  const end = endOfString(bytes, from)
  if (end < 0) throw new JsonError('unexpected end', bytes.length)
  return end
}

function reach(levels: Levels, level: number, at: number): void {
  if (level > levels.depthMax) throw new JsonError('nested too deeply', at)
  if (level > levels.deepest) levels.deepest = level
}

function isScalarEnd(byte: number): boolean {
  return byte === jsonByte.comma || byte === jsonByte.closeBrace || byte === jsonByte.closeBracket || isJsonSpace(byte)
}

export function afterSpace(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && isJsonSpace(bytes[at] as number)) at++
  return at
}

function afterByte(bytes: Buffer, at: number, expected: number): number {
  if (bytes[at] !== expected) throw new JsonError(at < bytes.length ? 'unexpected character' : 'unexpected end', at)
  return at + 1
}
