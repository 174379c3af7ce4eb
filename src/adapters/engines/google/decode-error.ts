import type { Timers } from '../../../core/timers.ts'
import type { EngineReply } from '../../../domain/engines/types.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json.ts'
import { parseRetryAfter } from '../../../lib/retry-after.ts'
import type { Answer } from '../../http/exchange.ts'
import { errorReply } from '../error-reply.ts'
import { readEngineError } from '../read-engine-error.ts'

const promptTooLong = /input token count .* exceeds/i

/**
 * An error in the gateway's terms. A key or an account that does not work comes as 400 and is no fault of the caller's;
 * 503 is how the API says that it is overloaded.
 */
export async function decodeError(answer: Answer, timers: Timers): Promise<EngineReply> {
  const { message, error } = await readEngineError(answer, timers)
  const type = typeof error['status'] === 'string' ? error['status'].toLowerCase() : 'api_error'
  const code = promptTooLong.test(message) ? 'context_length_exceeded' : null
  const retryAfterMs = answer.retryAfterMs ?? retryDelayOf(error)
  return errorReply(statusOf(answer.status, error), { message, type, code }, retryAfterMs)
}

function statusOf(status: number, error: JsonObject): number {
  if (status === 503) return 429
  if (status !== 400) return status
  if (detailsOf(error).some(({ reason }) => reason === 'API_KEY_INVALID')) return 401
  // Where the operator is, or what it has not paid.
  return error['status'] === 'FAILED_PRECONDITION' ? 403 : 400
}

/** `{"@type": "…RetryInfo", "retryDelay": "37s"}` */
function retryDelayOf(error: JsonObject): number | null {
  const delay = detailsOf(error).find(({ retryDelay }) => retryDelay !== undefined)?.['retryDelay']
  return typeof delay === 'string' && delay.endsWith('s') ? parseRetryAfter(delay.slice(0, -1), 0) : null
}

function detailsOf({ details }: JsonObject): readonly JsonObject[] {
  return Array.isArray(details) ? details.filter(isJsonObject) : []
}
