import type { Timers } from '../../core/timers.ts'
import { readBody } from '../../domain/engines/read-body.ts'
import { isJsonObject, JsonError, type JsonObject, type JsonValue, parseJsonBytes } from '../../lib/json.ts'
import type { Answer } from '../http/exchange.ts'

/** What is read of an explanation, and for how long. */
const bytesMax = 65_536
const waitMs = 5_000

export interface EngineError {
  readonly message: string
  /** The whole object, for what else a family puts there. */
  readonly error: JsonObject
}

/** The `error` of an answer that is none, as Anthropic and Google both spell it; empty when there is nothing to read. */
export async function readEngineError({ body }: Answer, timers: Timers): Promise<EngineError> {
  const error = errorOf(parseOrNull(await readBody(body, { bytesMax, waitMs, timers })))
  const { message } = error
  return { message: typeof message === 'string' ? message : '', error }
}

/** Streams of Google explain themselves in a list. */
function errorOf(value: JsonValue): JsonObject {
  const object = Array.isArray(value) ? value[0] : value
  const error = isJsonObject(object) ? object['error'] : undefined
  return isJsonObject(error) ? error : {}
}

function parseOrNull(bytes: Buffer): JsonValue {
  try {
    return parseJsonBytes(bytes)
  } catch (error) {
    if (error instanceof JsonError) return null
    throw error
  }
}
