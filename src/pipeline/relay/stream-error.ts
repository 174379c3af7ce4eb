import { createFault } from '../../domain/engines/create-fault.ts'
import { rejectionKind } from '../../domain/engines/rejection-kind.ts'
import { EngineFault } from '../../domain/engines/types.ts'
import { isJsonObject, JsonError, type JsonValue, parseJsonBytes } from '../../lib/json.ts'

/** What an `error` inside of an answer means: that its content is against a policy, or that the node failed. */
export function streamError(error: JsonValue): EngineFault {
  const message = isJsonObject(error) ? error['message'] : error
  const isPolicy = rejectionKind(error, typeof message === 'string' ? message : '') === 'policy'
  return isPolicy ? createFault('policy') : new EngineFault('bad_answer', 'the answer carries an error')
}

/** The same for a value that was found and not read. */
export function streamErrorIn(data: Buffer, { valueStart, valueEnd }: ValueSpan): EngineFault {
  try {
    return streamError(parseJsonBytes(data.subarray(valueStart, valueEnd)))
  } catch (error) {
    if (error instanceof JsonError) return streamError(null)
    throw error
  }
}

interface ValueSpan {
  readonly valueStart: number
  readonly valueEnd: number
}
