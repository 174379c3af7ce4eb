import { readWhole } from '../../domain/engines/read-answer.ts'
import { EngineFault, type EngineReply } from '../../domain/engines/types.ts'
import { isJsonObject, JsonError, parseJsonBytes } from '../../lib/json.ts'
import { repairUtf8 } from '../../lib/repair-utf8.ts'
import { expandCompletion } from '../expand-completion.ts'
import type { Prepared } from '../stages.ts'
import { answerSteps, asItComes } from '../transforms/answer-transforms.ts'
import { answerNames } from './answer-names.ts'
import { openByteLane } from './byte-lane.ts'
import { chooseLane } from './choose-lane.ts'
import { openEventLane } from './event-lane.ts'
import { eventsFromSse } from './events-from-sse.ts'
import type { Meter } from './meter.ts'
import type { OpenedStream } from './opened-stream.ts'
import { hasMessages, isFinished } from './sound-completion.ts'

export interface OpenStreamOptions {
  readonly admitted: Prepared
  readonly meter: Meter
  readonly signal: AbortSignal
}

/** Opens an engine's stream in the lane that fits it. @throws EngineFault when it is not a sound stream */
export async function openStream(
  reply: EngineReply,
  { admitted, meter, signal }: OpenStreamOptions,
): Promise<OpenedStream> {
  const names = answerNames(admitted.completionId, admitted.shownModelId)
  const steps = answerSteps(admitted)
  switch (chooseLane(reply, steps !== null)) {
    case 'bytes':
      if (reply.kind !== 'bytes') throw new EngineFault('bad_answer', 'the node gave no bytes')
      return openByteLane(reply.body, { names, meter, signal })
    case 'events':
      return openEventLane(await readEvents(reply, signal), { names, meter, transform: steps ?? asItComes })
  }
}

/** Events of an engine that speaks them, or of one that gave a whole answer though a stream was asked for. */
async function readEvents(reply: EngineReply, signal: AbortSignal) {
  if (reply.kind === 'events') return reply.events
  if (reply.contentType === 'text/event-stream') return eventsFromSse(reply.body, signal)
  const bytes = repairUtf8(await readWhole(reply.body, signal))
  try {
    const completion = parseJsonBytes(bytes)
    if (isJsonObject(completion) && hasMessages(completion) && isFinished(completion))
      return toAsync(expandCompletion(completion))
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
  }
  throw new EngineFault('bad_answer', 'the answer is neither a stream nor a completion')
}

async function* toAsync<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values
}
