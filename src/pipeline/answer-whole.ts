import { type EngineRun, EnginesFailure } from '../domain/engines/engines.ts'
import { failpoint } from '../lib/failpoint.ts'
import { type Answering, answerFacts, answerHeaders, elapsedMs, endAnswer } from './answering.ts'
import { dispatch } from './dispatch.ts'
import { endFailure } from './end-failure.ts'
import { billFinished } from './ending.ts'
import { endRecording } from './recording.ts'
import { completeAnswer } from './relay/complete-answer.ts'
import { openWhole, type WholeAnswer } from './relay/open-whole.ts'
import { stopEnding } from './stop-ending.ts'
import { answerSteps } from './transforms/answer-transforms.ts'

const contentType = 'application/json; charset=utf-8'

/**
 * Answers in one piece. Nothing leaves before the whole answer is there and settled, so that every failure can still go
 * to another node, and then to the caller with its own status.
 * @throws GatewayError
 */
export async function answerWhole(answering: Answering): Promise<void> {
  const run = await collect(answering)
  const { meter, running, outlet } = answering
  const reading = meter.final()
  const stopped = running.cause === null ? null : stopEnding(running.cause, true)
  const ending =
    stopped === null
      ? ({ outcome: 'done', billing: billFinished(answering.admitted, reading) } as const)
      : { outcome: stopped.outcome, billing: stopped.billing }
  failpoint('usage.seen')
  const charge = await endAnswer(answering, {
    ...ending,
    status: stopped?.error.status ?? 200,
    reading,
    node: run.node.id,
    attempts: run.attempts,
    firstByteMs: elapsedMs(answering),
    engineCompletionId: run.value.engineCompletionId,
  })
  if (stopped !== null) {
    await endRecording(answering.recording, charge)
    throw stopped.error
  }
  const body = completeAnswer(run.value.bytes, answerFacts(answering, reading, charge), answering.admitted.encoder)
  await answering.recording?.complete({ status: 200, contentType }, body)
  failpoint('done.before_write')
  outlet.head(200, { 'content-type': contentType, 'content-length': String(body.length), ...answerHeaders(answering) })
  outlet.end(body)
  failpoint('done.after_write')
}

async function collect(answering: Answering): Promise<EngineRun<WholeAnswer>> {
  const { meter, running, admitted } = answering
  try {
    const run = await dispatch(answering, reply =>
      openWhole(reply, { meter, signal: running.signal, steps: answerSteps(admitted) }),
    )
    const { usage } = meter.final()
    run.done('answered', { completionTokens: usage.completionTokens, ms: elapsedMs(answering) })
    return run
  } catch (failure) {
    if (!(failure instanceof EnginesFailure)) throw failure
    throw await endFailure(answering, failure)
  }
}
