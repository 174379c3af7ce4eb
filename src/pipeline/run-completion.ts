import type { PromptSize } from '../core/completion-request.ts'
import { GatewayError } from '../core/gateway-error.ts'
import { admit, newHoldId } from './admit.ts'
import { answerStream, openStreamWriter } from './answer-stream.ts'
import { answerWhole } from './answer-whole.ts'
import { endAnswer, type Held } from './answering.ts'
import { claimKey } from './claim-key.ts'
import type { CompletionDependencies } from './dependencies.ts'
import type { Outlet } from './outlet.ts'
import { prepare } from './prepare.ts'
import { endRecording, type Recording, recordWrites } from './recording.ts'
import { Meter } from './relay/meter.ts'
import { replay } from './replay.ts'
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

/** The table of contents of a completion: resolve → claim → admit → prepare → dispatch → relay → settle. */
export function createCompletions(dependencies: CompletionDependencies): Completions {
  return {
    async run(received, outlet) {
      const { catalog, characters, settings } = dependencies
      const { housePrompt: house, urlFetchers, xSearchers, pages } = settings()
      const resolved = resolve({ catalog, characters, house, urlFetchers, xSearchers, pages }, received)
      await requireSearch(dependencies, resolved)
      const holdId = newHoldId(dependencies)
      const claim = await claimKey(dependencies, resolved, holdId)
      if (claim.state === 'replayed') return replay(outlet, claim.answer)
      const admitted = await admitOrFree(dependencies, { resolved, holdId, recording: claim.recording })
      await answer(dependencies, admitted, { outlet, recording: claim.recording })
    },
  }
}

/** @throws GatewayError not_configured for a search that was asked for outright, where nobody can search */
async function requireSearch({ grounding }: CompletionDependencies, { request }: Resolved): Promise<void> {
  if (request.grounding?.withoutSearch !== 'refuse' || (await grounding.search.isConfigured())) return
  const message = 'This gateway has no web search. Ask without `:online` and without `web_search`.'
  throw new GatewayError('not_configured', message, { param: 'model' })
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

/**
 * A failure before anything has left throws and is rendered with its own status; once a keep-alive has taken the 200 with
 * it, the failure is in-band (venym.md §3 Streaming).
 */
async function answer(
  dependencies: CompletionDependencies,
  admitted: Admitted,
  { outlet, recording }: { outlet: Outlet; recording: Recording | null },
): Promise<void> {
  const running = createRunning(dependencies, admitted, outlet)
  const recorded = recording === null ? outlet : recordWrites(outlet, recording)
  const meter = createMeter(admitted, admitted.draft.prompt)
  let held: Held = { dependencies, admitted, outlet: recorded, meter, running, recording }
  const modelId = admitted.model.id
  const share = dependencies.media.budget.open(admitted.principal.accountId)
  const writer = admitted.request.stream ? openStreamWriter(held) : null
  dependencies.observer.holding(modelId, 1)
  try {
    const prepared = await prepare(held, share)
    const answering = { ...held, admitted: prepared, meter: createMeter(prepared, prepared.prompt) }
    held = answering
    await (writer === null ? answerWhole(answering) : answerStream(answering, writer))
  } catch (error) {
    if (!(error instanceof GatewayError)) {
      await abandon(held)
      throw error
    }
    if (writer === null || !writer.started) throw withStanding(error, admitted)
    writer.fail(error)
  } finally {
    writer?.stopKeepAlive()
    running.close()
    share.close()
    dependencies.observer.holding(modelId, -1)
  }
}

/** Whatever fails after admission still tells the caller what admission read of its money and its error budget. */
function withStanding(error: GatewayError, { failures, balances }: Admitted): GatewayError {
  return error.with({ balances, ...(failures === null ? {} : { failures }) })
}

/** The net under faults of our own: nothing is charged for them, and no hold waits for the sweeper. */
async function abandon(answering: Held): Promise<void> {
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
    waivesFees: true,
  })
  await endRecording(recording, charge)
}

function createMeter({ request, outputLimit, promptTokensBound }: Admitted, prompt: PromptSize): Meter {
  return new Meter({
    promptCharacters: prompt.characters,
    promptTokensBound,
    choices: request.choices,
    outputLimit,
  })
}
