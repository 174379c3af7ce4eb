import type { Readable } from 'node:stream'
import { isJsonObject, type JsonObject, parseJsonBytes } from '../../../lib/json.ts'

const newline = 0x0a

export interface ReceivedJob {
  readonly head: JsonObject
  readonly bytes: Buffer
}

/** A head of one line of JSON, and the bytes after it. Null when the gateway went away without a job. */
export async function receiveJob(input: Readable): Promise<ReceivedJob | null> {
  const pieces: Buffer[] = []
  for await (const piece of input) pieces.push(piece as Buffer)
  const all = Buffer.concat(pieces)
  const end = all.indexOf(newline)
  if (end === -1) return null
  const head = parseJsonBytes(all.subarray(0, end))
  return isJsonObject(head) ? { head, bytes: all.subarray(end + 1) } : null
}
