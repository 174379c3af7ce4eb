import type { AnswerFacts } from '../core/answer-encoder.ts'
import { type Charge, type Fees, noFees } from '../core/price.ts'
import type { Attempt } from '../domain/usage/types.ts'
import type { CompletionDependencies } from './dependencies.ts'
import type { Ending } from './ending.ts'
import type { Outlet } from './outlet.ts'
import { owedFees } from './owed-fees.ts'
import type { Recording } from './recording.ts'
import type { Meter, MeterReading } from './relay/meter.ts'
import type { Running } from './running.ts'
import { settle } from './settle.ts'
import type { Admitted, Prepared } from './stages.ts'

/** Everything that one admitted request shares, whatever stage it has reached. */
export interface Held<Stage extends Admitted = Admitted> {
  readonly dependencies: CompletionDependencies
  readonly admitted: Stage
  readonly outlet: Outlet
  readonly meter: Meter
  readonly running: Running
  /** Keeps what is sent, for a later replay; null when the caller asked for none. */
  readonly recording: Recording | null
}

/** The same once an engine can be asked. */
export type Answering = Held<Prepared>

/** What a finished answer adds to its reading when it becomes an ending. */
export interface EndingParts extends Pick<Ending, 'outcome' | 'status' | 'billing' | 'reading'> {
  readonly node: string | null
  readonly attempts: readonly Attempt[]
  readonly firstByteMs: number | null
  readonly engineCompletionId?: string | null
  readonly chunkGapMs?: number | null
  /** True for faults of our own. */
  readonly waivesFees?: boolean
}

/** Settles an ending and tells the observers. Resolves with what was taken, or null when the ledger was too late. */
export async function endAnswer(answering: Held, parts: EndingParts): Promise<Charge | null> {
  const { dependencies, admitted, meter, outlet } = answering
  const ending: Ending = {
    ...parts,
    engineCompletionId: parts.engineCompletionId ?? null,
    fees: feesOf(answering, parts),
    finishReason: meter.finishReason,
    costDelivered: parts.outcome === 'done' && !outlet.isGone,
  }
  const charge = await settle(dependencies, admitted, ending)
  observe(answering, ending, { charge, chunkGapMs: parts.chunkGapMs ?? null })
  return charge
}

/** What was looked up is paid also where the answer fails or is left; not where the gateway itself is the reason. */
function feesOf({ admitted, meter }: Held, { outcome, waivesFees }: EndingParts): Fees {
  return outcome === 'drained' || waivesFees === true ? noFees : owedFees(admitted, meter)
}

function observe(
  { dependencies, admitted }: Held,
  ending: Ending,
  { charge, chunkGapMs }: { charge: Charge | null; chunkGapMs: number | null },
): void {
  const { clock, observer } = dependencies
  observer.completed({
    requestId: admitted.requestId,
    completionId: admitted.completionId,
    surface: admitted.surface,
    model: admitted.model.id,
    engineModel: admitted.model.served.find(served => served.engineId === ending.node)?.engineModel ?? null,
    node: ending.node,
    accountId: admitted.principal.accountId,
    keyId: admitted.principal.keyId,
    stream: admitted.request.stream,
    status: ending.status,
    outcome: ending.outcome,
    finishReason: ending.finishReason,
    usage: ending.reading.usage,
    usageSource: ending.reading.source,
    charge,
    attempts: ending.attempts,
    startedAtMs: admitted.receivedAtMs,
    firstByteMs: ending.firstByteMs,
    totalMs: Math.round(clock.monotonic() - admitted.startedAtMs),
    chunkGapMs,
  })
}

export function answerFacts(
  { dependencies, admitted }: Answering,
  reading: MeterReading,
  charge: Charge | null,
): AnswerFacts {
  return {
    completionId: admitted.completionId,
    modelId: admitted.shownModelId,
    created: Math.floor(dependencies.clock.now() / 1_000),
    usage: reading.usage,
    usageSource: reading.source,
    charge,
    injectedTokens: admitted.draft.injectedTokens,
    grounding: admitted.grounding,
    searchesX: admitted.searchesX,
    stream: admitted.request.stream,
  }
}

/** Headers of a paid answer: what the dialect shows, and that nobody on the way may keep it. */
export function answerHeaders({ dependencies, admitted }: Held): Record<string, string> {
  const { model, rates, rateOwner, failures, balances, encoder } = admitted
  const facts = { model, rates, rateOwner, failures, balances, nowMs: dependencies.clock.now() }
  return { 'cache-control': 'private, no-store', ...encoder.answerHeaders(facts) }
}

/** Milliseconds since the request came in. */
export function elapsedMs({ dependencies, admitted }: Held): number {
  return Math.round(dependencies.clock.monotonic() - admitted.startedAtMs)
}
