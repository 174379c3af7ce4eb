import { GatewayError } from '../core/gateway-error.ts'
import type { ReplayableAnswer } from '../domain/idempotency/types.ts'
import { admit, newHoldId } from './admit.ts'
import { answerStream } from './answer-stream.ts'
import { answerWhole } from './answer-whole.ts'
import { type Answering, endAnswer } from './answering.ts'
import { claimKey } from './claim-key.ts'
import type { CompletionDependencies } from './dependencies.ts'
import type { Outlet } from './outlet.ts'
import { endRecording, type Recording, recordWrites } from './recording.ts'
import { Meter } from './relay/meter.ts'
import { resolve } from './resolve.ts'
import { createRunning } from './running.ts'
import type { Admitted, Received, Resolved } from './stages.ts'

export interface Completions {
  /**
   * Runs one completion and writes its answer to the outlet. Resolves when the answer has been handed over and settled.
   * @throws GatewayError as long as nothing has been written; afterwards failures are part of the answer
   */
  run(received: Received, outlet: Outlet): Promise<void>
}

/** The table of contents of a completion: resolve → claim → admit → dispatch → relay → settle. */
export function createCompletions(dependencies: CompletionDependencies): Completions {
  return {
    async run(received, outlet) {
      const resolved = resolve(dependencies.catalog, received)
      const holdId = newHoldId(dependencies)
      const claim = await claimKey(dependencies, resolved, holdId)
      if (claim.state === 'replayed') return replay(outlet, claim.answer)
      const admitted = await admitOrFree(dependencies, { resolved, holdId, recording: claim.recording })
      await answer(dependencies, admitted, { outlet, recording: claim.recording })
    },
  }
}

function replay(outlet: Outlet, answer: ReplayableAnswer): void {
  const headers = {
    'content-type': answer.contentType,
    'content-length': String(answer.body.length),
    'cache-control': 'private, no-store',
    'idempotent-replayed': 'true',
    ...generationHeader(answer),
  }
  outlet.head(answer.status, headers)
  outlet.end(answer.body)
}

const idBytesMax = 16_384

/** The header names the call that was charged, whose id stands in its recorded answer, not the one that replays it. */
function generationHeader({ body }: ReplayableAnswer): Record<string, string> {
  const id = /"id" *: *"(chatcmpl-[0-9a-f]{32})"/.exec(body.toString('latin1', 0, idBytesMax))?.[1]
  return id === undefined ? {} : { 'x-generation-id': id }
}

/** A refused request charged nothing, so that its key may be used again at once. */
async function admitOrFree(
  dependencies: CompletionDependencies,
  { resolved, holdId, recording }: { resolved: Resolved; holdId: string; recording: Recording | null },
): Promise<Admitted> {
  try {
    return await admit(dependencies, resolved, holdId)
  } catch (error) {
    await recording?.free()
    throw error
  }
}

async function answer(
  dependencies: CompletionDependencies,
  admitted: Admitted,
  { outlet, recording }: { outlet: Outlet; recording: Recording | null },
): Promise<void> {
  const running = createRunning(dependencies, admitted, outlet)
  const recorded = recording === null ? outlet : recordWrites(outlet, recording)
  const answering: Answering = {
    dependencies,
    admitted,
    outlet: recorded,
    meter: createMeter(admitted),
    running,
    recording,
  }
  const modelId = admitted.model.id
  dependencies.observer.holding(modelId, 1)
  try {
    await (admitted.request.stream ? answerStream(answering) : answerWhole(answering))
  } catch (error) {
    if (!(error instanceof GatewayError)) await abandon(answering)
    throw error
  } finally {
    running.close()
    dependencies.observer.holding(modelId, -1)
  }
}

/** The net under faults of our own: nothing is charged for them, and no hold waits for the sweeper. */
async function abandon(answering: Answering): Promise<void> {
  const { meter, running, recording } = answering
  running.stop()
  const charge = await endAnswer(answering, {
    outcome: 'upstream_fail',
    status: 500,
    billing: 'free',
    reading: meter.running(),
    node: running.node?.id ?? null,
    attempts: [],
    firstByteMs: null,
  })
  await endRecording(recording, charge)
}

function createMeter({ request, outputLimit, promptTokensBound }: Admitted): Meter {
  return new Meter({
    promptCharacters: request.prompt.characters,
    promptTokensBound,
    choices: request.choices,
    outputLimit,
  })
}
