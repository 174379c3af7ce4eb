import type { AnswerEncoder, AnswerFacts } from '../core/answer-encoder.ts'
import { GatewayError } from '../core/gateway-error.ts'
import { type EngineRun, EnginesFailure } from '../domain/engines/engines.ts'
import { failpoint } from '../lib/failpoint.ts'
import { encodeSseData, sseDone } from '../lib/sse-write.ts'
import { type Answering, answerFacts, answerHeaders, elapsedMs, endAnswer, type Held } from './answering.ts'
import { dispatch } from './dispatch.ts'
import { endFailure } from './end-failure.ts'
import { billFinished } from './ending.ts'
import { endRecording } from './recording.ts'
import { completeAnswer, createBareChunk, createdOf, createLastChunk } from './relay/complete-answer.ts'
import { openStream } from './relay/open-stream.ts'
import type { OpenedStream, StreamEnd } from './relay/opened-stream.ts'
import { createProgress } from './relay/progress.ts'
import { createStreamWriter, type StreamWriter } from './relay/stream-writer.ts'
import { stopEnding } from './stop-ending.ts'

interface Relayed {
  readonly run: EngineRun<OpenedStream>
  readonly end: StreamEnd
  readonly firstByteMs: number
  readonly chunkGapMs: number | null
}

/** The caller's side of a stream. It is kept alive from now on, also while the request is prepared. */
export function openStreamWriter(held: Held): StreamWriter {
  const headers = () => answerHeaders(held)
  return createStreamWriter(held.outlet, { encoder: held.admitted.encoder, headers, waitedMs: elapsedMs(held) })
}

/**
 * Answers as a stream. What fails after the first token is written in-band, followed by `[DONE]` (venym.md §3 Streaming).
 * @throws GatewayError when no node answered
 */
export async function answerStream(answering: Answering, writer: StreamWriter): Promise<void> {
  try {
    const relayed = await relay(answering, writer)
    await finishStream(answering, writer, relayed)
  } catch (failure) {
    if (!(failure instanceof EnginesFailure)) throw failure
    throw await endFailure(answering, failure)
  }
}

async function relay(answering: Answering, writer: StreamWriter): Promise<Relayed> {
  const { dependencies, admitted, meter, outlet, running } = answering
  const run = await dispatch(answering, reply => openStream(reply, { admitted, meter, signal: running.signal }))
  writer.stopKeepAlive()
  const firstByteMs = elapsedMs(answering)
  const progress = createProgress(dependencies, admitted, meter)
  const onRead = () => {
    progress.note()
    failpoint('stream.mid')
  }
  failpoint('stream.first_byte')
  const end = await run.value.relay(writer, { onRead, onDrain: outlet.onDrain, signal: running.signal })
  const chunks = meter.deliveredChunks
  return { run, end, firstByteMs, chunkGapMs: chunks < 2 ? null : (elapsedMs(answering) - firstByteMs) / (chunks - 1) }
}

async function finishStream(answering: Answering, writer: StreamWriter, relayed: Relayed): Promise<void> {
  const { running, meter } = answering
  const { run, end } = relayed
  const tokens = {
    completionTokens: meter.running().usage.completionTokens,
    ms: elapsedMs(answering) - relayed.firstByteMs,
  }
  const isNodes = end.kind === 'fault' && end.fault.kind !== 'policy'
  run.done(isNodes && running.cause === null ? 'fault' : 'answered', tokens)
  if (running.cause !== null) return finishStopped(answering, writer, relayed)
  if (end.kind === 'fault' && end.fault.kind === 'policy') return finishBlocked(answering, writer, relayed)
  if (end.kind === 'fault') return finishFaulty(answering, writer, { relayed, cause: end.fault })
  const reading = meter.final()
  const billing = billFinished(answering.admitted, reading)
  const parts = { ...facts(relayed), outcome: 'done', status: 200, billing, reading } as const
  failpoint('usage.seen')
  const charge = await endAnswer(answering, parts)
  const shown = answerFacts(answering, reading, charge)
  const last =
    end.kind === 'finished' && end.usageChunk !== null
      ? completeAnswer(end.usageChunk, shown, answering.admitted.encoder)
      : null
  const report = end.kind === 'finished' ? end.usageReport : null
  const lastChunk = encodeSseData(last ?? createLastChunk(shown, answering.admitted.encoder, report))
  const limit = end.kind === 'over_limit' ? [limitChunk(answering)] : []
  const closing = closingChunk({ ...shown, created: createdOf(last) ?? shown.created }, answering.admitted.encoder)
  const lastEvents = Buffer.concat([...limit, lastChunk, closing])
  const wholeEnd = Buffer.concat([lastEvents, sseDone])
  await answering.recording?.complete({ status: 200, contentType: 'text/event-stream; charset=utf-8' }, wholeEnd)
  failpoint('done.before_write')
  writer.finish(lastEvents)
  failpoint('done.after_write')
}

/** Nothing, where the dialect adds no chunk. */
function closingChunk(shown: AnswerFacts, encoder: AnswerEncoder): Buffer {
  const members = encoder.closingMembers(shown)
  return members === null ? Buffer.alloc(0) : encodeSseData(createBareChunk(shown, members))
}

function facts({ run, firstByteMs, chunkGapMs }: Relayed) {
  const { node, attempts, value } = run
  return { node: node.id, attempts, firstByteMs, chunkGapMs, engineCompletionId: value.engineCompletionId }
}

async function finishStopped(answering: Answering, writer: StreamWriter, relayed: Relayed): Promise<void> {
  const { running, meter } = answering
  const { outcome, billing, error } = stopEnding(running.cause ?? 'deadline', true)
  const reading = relayed.end.kind === 'finished' ? meter.final() : meter.running()
  const charge = await endAnswer(answering, { ...facts(relayed), outcome, status: 200, billing, reading })
  await endRecording(answering.recording, charge)
  if (running.cause !== 'caller') writer.fail(error)
}

/** The engine failed after its first token: the caller is told in-band, and pays nothing unless the operator said otherwise. */
async function finishFaulty(
  answering: Answering,
  writer: StreamWriter,
  { relayed, cause }: { relayed: Relayed; cause: Error },
): Promise<void> {
  const { dependencies, meter } = answering
  const partial = dependencies.settings().billPartial === 'delivered' && meter.deliveredText
  const billing = partial ? 'usage' : 'free_failure'
  const charge = await endAnswer(answering, {
    ...facts(relayed),
    outcome: 'upstream_fail',
    status: 200,
    billing,
    reading: meter.running(),
  })
  await endRecording(answering.recording, charge)
  writer.fail(
    new GatewayError('upstream_error', `The engine failed in the middle of the answer: ${cause.message}.`, { cause }),
  )
}

/** The provider took offence in the middle of the answer: what it had generated is the bill, as it reported it (money.md §3). */
async function finishBlocked(answering: Answering, writer: StreamWriter, relayed: Relayed): Promise<void> {
  const reading = answering.meter.final()
  const ending = { outcome: 'upstream_fail', status: 200, billing: 'usage', reading } as const
  const charge = await endAnswer(answering, { ...facts(relayed), ...ending })
  await endRecording(answering.recording, charge)
  const message = 'The provider of the model stopped the answer, because its content is against a policy.'
  writer.fail(new GatewayError('content_policy_violation', message))
}

/** The meter ended the answer, so the gateway says why for every choice that had not: the output limit (money.md §3). */
function limitChunk(answering: Answering): Buffer {
  const { completionId: id, modelId: model, created } = answerFacts(answering, answering.meter.final(), null)
  const choices = answering.meter.unfinishedChoices().map(index => ({ index, delta: {}, finish_reason: 'length' }))
  return encodeSseData(JSON.stringify({ id, object: 'chat.completion.chunk', created, model, choices }))
}
