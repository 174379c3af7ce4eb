import type { GatewayError } from '../core/gateway-error.ts'
import type { EnginesFailure } from '../domain/engines/engines.ts'
import { type Answering, endAnswer } from './answering.ts'
import { endRecording } from './recording.ts'
import type { MeterReading } from './relay/meter.ts'
import { stopEnding } from './stop-ending.ts'

/**
 * Settles a request that no node answered, and resolves with what the caller is told. A 4xx of the engine is the caller's
 * to mend and costs nothing; a failure after an engine was at work counts against the allowance of free failures.
 */
export async function endFailure(answering: Answering, failure: EnginesFailure): Promise<GatewayError> {
  const { running, meter, recording } = answering
  const { error, attempts } = failure
  const common = { attempts, node: running.node?.id ?? null, firstByteMs: null }
  if (running.cause !== null) {
    const stopped = stopEnding(running.cause, running.sentAtMs !== null)
    const reading = stoppedReading(answering)
    const charge = await endAnswer(answering, { ...common, ...stopped, status: stopped.error.status, reading })
    await endRecording(recording, charge)
    return stopped.error
  }
  const refused = error.options.engine !== undefined
  const billing = failure.worked && !refused ? 'free_failure' : 'free'
  const charge = await endAnswer(answering, {
    ...common,
    outcome: refused ? 'refused' : 'upstream_fail',
    status: error.status,
    billing,
    reading: meter.running(),
  })
  await endRecording(recording, charge)
  return error
}

/**
 * A stream that was stopped before its first token generated nothing that is known of. A whole answer generates unseen:
 * the node's usual speed and the time that it had say how much (money.md §3).
 */
function stoppedReading(answering: Answering): MeterReading {
  const { admitted, meter, running, dependencies } = answering
  if (admitted.request.stream || running.node === null || running.sentAtMs === null) return meter.running()
  const seconds = (dependencies.clock.monotonic() - running.sentAtMs) / 1_000
  const tokens = Math.floor(
    seconds * dependencies.engines.medianTokensPerSecond(running.node.id) * admitted.request.choices,
  )
  return meter.estimate(tokens)
}
