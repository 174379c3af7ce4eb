import { createFault } from '../../domain/engines/create-fault.ts'
import { isJsonObject, JsonError, type JsonObject, parseJsonBytes } from '../../lib/json.ts'
import { repairUtf8 } from '../../lib/repair-utf8.ts'

/** A JSON object of an engine's answer. @throws EngineFault for anything else */
export function parseAnswer(bytes: Buffer): JsonObject {
  try {
    const value = parseJsonBytes(repairUtf8(bytes))
    if (isJsonObject(value)) return value
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
  }
  throw createFault('bad_answer', { message: 'the answer is no JSON object' })
}
