import { EngineFault, type EngineReply } from '../../domain/engines/types.ts'
import { isJsonObject, JsonError, parseJsonBytes } from '../../lib/json.ts'
import { repairUtf8 } from '../../lib/repair-utf8.ts'
import { expandCompletion } from '../expand-completion.ts'
import type { Admitted } from '../stages.ts'
import { guardOrder } from '../transforms/guard-order.ts'
import { chain } from '../transforms/transform.ts'
import { answerNames } from './answer-names.ts'
import { openByteLane } from './byte-lane.ts'
import { chooseLane } from './choose-lane.ts'
import { openEventLane } from './event-lane.ts'
import type { Meter } from './meter.ts'
import type { OpenedStream } from './opened-stream.ts'
import { readAnswer } from './read-answer.ts'
import { hasMessages, isFinished } from './sound-completion.ts'

export interface OpenStreamOptions {
  readonly admitted: Admitted
  readonly meter: Meter
  readonly signal: AbortSignal
}

const transform = chain(guardOrder)

/** Opens an engine's stream in the lane that fits it. @throws EngineFault when it is not a sound stream */
export async function openStream(
  reply: EngineReply,
  { admitted, meter, signal }: OpenStreamOptions,
): Promise<OpenedStream> {
  const names = answerNames(admitted.completionId, admitted.request.modelId)
  switch (chooseLane(reply)) {
    case 'bytes':
      if (reply.kind !== 'bytes') throw new EngineFault('bad_answer', 'the node gave no bytes')
      return openByteLane(reply.body, { names, meter, signal })
    case 'events':
      return openEventLane(await readEvents(reply, signal), { names, meter, transform })
  }
}

/** Events of an engine that speaks them, or of one that gave a whole answer though a stream was asked for. */
async function readEvents(reply: EngineReply, signal: AbortSignal) {
  if (reply.kind === 'events') return reply.events
  const bytes = repairUtf8(await readAnswer(reply.body, signal))
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
