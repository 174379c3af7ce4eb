import { isJsonObject, JsonError, type JsonObject, parseJsonBytes } from '../../../lib/json.ts'

const headBytesMax = 16_384
const newline = 0x0a

/**
 * A head of one line of JSON, and as many bytes after it as it says. Null for anything else: a child may be broken, or ended
 * in the middle of its answer.
 */
export function readAnswer(bytes: Buffer): { readonly head: JsonObject; readonly body: Buffer } | null {
  const end = bytes.subarray(0, headBytesMax).indexOf(newline)
  if (end === -1) return null
  try {
    const head = parseJsonBytes(bytes.subarray(0, end))
    const body = bytes.subarray(end + 1)
    return isJsonObject(head) && head['bodyBytes'] === body.length ? { head, body } : null
  } catch (error) {
    if (error instanceof JsonError) return null
    throw error
  }
}
