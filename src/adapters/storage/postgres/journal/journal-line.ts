import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { parseJson } from '../../../../lib/json.ts'
import type { PackedSettlement } from '../../groups/operations.ts'

const checksumDigits = 8
/** A settlement takes about a thousand characters. */
const lineCharactersMax = 65_536

const amount = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt)
const count = z.int().nonnegative()
const line = z.object({
  kind: z.enum(['input', 'cache_read', 'cache_write', 'output', 'search', 'document', 'page']),
  quantity: count,
  amountNano: amount,
})
const usage = z.object({
  promptTokens: count,
  completionTokens: count,
  cachedTokens: count,
  cacheWriteTokens: count,
  reasoningTokens: count,
})
const record = z.object({
  generationId: z.string(),
  model: z.string(),
  outcome: z.enum(['done', 'client_abort', 'upstream_fail', 'deadline', 'drained', 'crashed_recovered', 'refused']),
  status: z.int(),
  usage,
  costDelivered: z.boolean(),
  createdAtMs: z.number(),
  details: z.string(),
})
const settlement = z.object({
  holdId: z.string(),
  chargeNano: amount,
  lines: z.array(line),
  writeoffNano: amount,
  tokensUsed: count,
  freeFailure: z.nullable(
    z.object({ allowancePerHour: z.number().nonnegative(), chargeNano: amount, lines: z.array(line) }),
  ),
  record,
  atMs: z.number(),
})

/** A settlement as one line: a checksum, its JSON with amounts as text, and the end of the line. It holds no prompt. */
export function encodeLine(packed: PackedSettlement): Buffer {
  const text = JSON.stringify(packed, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
  return Buffer.from(`${checksumOf(text)} ${text}\n`)
}

/** Null for a line that was not written whole, was changed since, or is not one that this version knows. */
export function decodeLine(written: string): PackedSettlement | null {
  if (written.length > lineCharactersMax) return null
  const text = written.slice(checksumDigits + 1)
  if (written !== `${checksumOf(text)} ${text}`) return null
  const read = settlement.safeParse(parseJson(text))
  return read.success ? read.data : null
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(checksumDigits, '0')
}
