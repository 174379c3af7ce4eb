import type { Timers } from '../../../core/timers.ts'
import type { EngineReply } from '../../../domain/engines/types.ts'
import type { Answer } from '../../http/exchange.ts'
import { errorReply } from '../error-reply.ts'
import { readEngineError } from '../read-engine-error.ts'

/** Words of an error that speaks of the operator's account, and not of the request. */
const ownAccount = /credit balance|plans & billing/i

const promptTooLong = /prompt is too long|exceeds? (?:the )?context (?:limit|window)/i

/**
 * An error in the gateway's terms. Our own bill is no fault of the caller's: it is told like a key that does not work, so
 * that another engine is asked and the operator hears of it. 529 is the API's own word for overload.
 */
export async function decodeError(answer: Answer, timers: Timers): Promise<EngineReply> {
  const { message, error } = await readEngineError(answer, timers)
  const type = typeof error['type'] === 'string' ? error['type'] : 'api_error'
  const code = promptTooLong.test(message) ? 'context_length_exceeded' : null
  return errorReply(statusOf(answer.status, message), { message, type, code }, answer.retryAfterMs)
}

function statusOf(status: number, message: string): number {
  if (status === 529) return 429
  if (status === 402 || (status === 400 && ownAccount.test(message))) return 403
  return status
}
