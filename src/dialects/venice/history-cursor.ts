import { createHmac } from 'node:crypto'
import { equalsConstantTime } from '../../lib/constant-time.ts'
import { JsonError, type JsonValue, parseJson } from '../../lib/json.ts'
import { type Currency, currencies, type HistoryWalk } from './history-walk.ts'

/** Enough that nobody guesses one; the rest of the characters is what a walk consists of. */
const signatureBytes = 16
const cursorText = /^[A-Za-z0-9_-]{1,512}$/

/** Signs cursors for one account. */
export interface CursorKey {
  readonly secret: Buffer
  readonly accountId: string
}

/** A walk and how far it came, as a text that only this account can go on with (venice.md §14). */
export function encodeCursor(walk: HistoryWalk, key: CursorKey): string {
  const { fromMs, toMs, currency, pageSize, after } = walk
  const content = Buffer.from(JSON.stringify([fromMs, toMs, currency, pageSize, after?.atMs, after?.seq]))
  return Buffer.concat([sign(content, key), content]).toString('base64url')
}

/** Null for a text that was not given out, or was to somebody else. */
export function decodeCursor(text: string, key: CursorKey): HistoryWalk | null {
  if (!cursorText.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  const content = bytes.subarray(signatureBytes)
  if (!equalsConstantTime(sign(content, key), bytes.subarray(0, signatureBytes))) return null
  return walkOf(read(content))
}

function sign(content: Buffer, { secret, accountId }: CursorKey): Buffer {
  const signature = createHmac('sha256', secret).update(`usage-history\0${accountId}\0`).update(content).digest()
  return signature.subarray(0, signatureBytes)
}

function read(content: Buffer): JsonValue {
  try {
    return parseJson(content.toString())
  } catch (error) {
    if (error instanceof JsonError) return null
    throw error
  }
}

/** Only signed contents come here, so that what does not fit was written by another version. */
function walkOf(value: JsonValue): HistoryWalk | null {
  if (!Array.isArray(value) || value.length !== 6) return null
  const [fromMs, toMs, currency, pageSize, atMs, seq] = value
  const numbers = [fromMs, toMs, pageSize, atMs, seq]
  if (!numbers.every(Number.isSafeInteger) || !isCurrencyOrNull(currency)) return null
  const after = { atMs: Number(atMs), seq: Number(seq) }
  return { fromMs: Number(fromMs), toMs: Number(toMs), currency, pageSize: Number(pageSize), after }
}

function isCurrencyOrNull(value: JsonValue | undefined): value is Currency | null {
  return value === null || currencies.some(currency => currency === value)
}
