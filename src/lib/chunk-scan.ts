import { type ChoicesScan, readChoices } from './chunk-choices.ts'
import { jsonByte } from './json-bytes.ts'
import { JsonCursor } from './json-cursor.ts'
import { createJsonNames } from './json-names.ts'

/** Where a member stands, as positions in the scanned bytes. */
interface JsonSpan {
  /** The opening quote of the name. */
  readonly keyStart: number
  readonly valueStart: number
  /** After the last byte of the value. */
  readonly valueEnd: number
  /**
   * Leaving out `bytes[cutStart, cutEnd)` removes the member with its comma. One such cut leaves a valid object; for more
   * than one at a time use spliceJson.
   */
  readonly cutStart: number
  readonly cutEnd: number
  /** The value is `null`. */
  readonly isNull: boolean
}

/** What a relay must know of a completion or chunk to pass it on as bytes. Spans are null where the member is absent. */
export interface CompletionScan extends Readonly<ChoicesScan> {
  readonly id: JsonSpan | null
  readonly model: JsonSpan | null
  readonly usage: JsonSpan | null
  readonly error: JsonSpan | null
  readonly choices: JsonSpan | null
  readonly hasText: boolean
  /**
   * An object that was looked into has a name that matters twice, or a name spelled with an escape. Another reader may
   * see something else in these bytes, so they must be parsed and written anew; the other fields are not to be used.
   */
  readonly odd: boolean
}

type Draft<T> = { -readonly [Key in keyof T]: T[Key] }

const completionNames = createJsonNames('id', 'model', 'usage', 'error', 'choices')

/**
 * Reads one `chat.completion.chunk` or `chat.completion` object in `bytes[start, end)` in one pass and without building
 * it. The bytes come from an engine, so anything may be in them: null unless they are one strictly valid JSON object in
 * valid UTF-8, at most 64 levels deep. It never throws, and the time is linear in the length.
 */
export function scanCompletionJson(bytes: Buffer, start = 0, end = bytes.length): CompletionScan | null {
  const cursor = new JsonCursor(bytes, { start, end: Math.min(end, bytes.length) })
  if (cursor.peek() !== jsonByte.openBrace) return null
  const scan = createDraft()
  cursor.open()
  let seen = 0
  for (
    let next = cursor.nextWanted(completionNames, seen);
    next !== null;
    next = cursor.nextWanted(completionNames, seen)
  ) {
    seen |= next.bit
    if (next.name === 'id') scan.id = readSpan(cursor, null)
    else if (next.name === 'model') scan.model = readSpan(cursor, null)
    else if (next.name === 'usage') scan.usage = readSpan(cursor, null)
    else if (next.name === 'error') scan.error = readSpan(cursor, null)
    else scan.choices = readSpan(cursor, scan)
  }
  if (!cursor.finish()) return null
  scan.odd = cursor.odd
  scan.hasText = scan.textCharacters > 0
  return scan
}

/** Reads the value of the member at the cursor; that of `choices` with a look inside. */
function readSpan(cursor: JsonCursor, choices: ChoicesScan | null): JsonSpan {
  const { keyStart, commaAt, position: valueStart } = cursor
  if (choices === null) cursor.skipValue()
  else readChoices(cursor, choices)
  const valueEnd = cursor.position
  const isNull = cursor.bytes[valueStart] === jsonByte.letterN
  if (commaAt >= 0) return { keyStart, valueStart, valueEnd, cutStart: commaAt, cutEnd: valueEnd, isNull }
  // The first member takes the comma after it along, if there is one.
  const cutEnd = cursor.peek() === jsonByte.comma ? cursor.position + 1 : valueEnd
  return { keyStart, valueStart, valueEnd, cutStart: keyStart, cutEnd, isNull }
}

function createDraft(): Draft<CompletionScan> {
  return {
    id: null,
    model: null,
    usage: null,
    error: null,
    choices: null,
    choiceCount: 0,
    choiceIndexes: [],
    finishReason: null,
    finishedIndexes: [],
    textCharacters: 0,
    hasText: false,
    malformed: false,
    odd: false,
  }
}
