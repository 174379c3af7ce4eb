import { noUsage } from '../../../core/usage.ts'
import type { AdmissionRequest } from '../../../domain/admission/types.ts'
import { encodeUsageDetails } from '../sql/texts/usage-details.ts'
import { createGroupClient, type GroupClient, type GroupClientParts } from './group-client.ts'
import type { GroupChannel } from './group-sender.ts'
import type { Operation, PackedSettlement } from './operations.ts'

export interface WriterClientParts extends Omit<GroupClientParts, 'onLate' | 'mayAdmit'> {
  /** Told when an operation that nobody waits for failed. */
  readonly onError: (error: unknown) => void
}

/** The clients through which money moves: the same one twice where there is one writer. */
export interface MoneyLanes {
  readonly admissions: GroupClient
  /** Takes all the rest. */
  readonly settlements: GroupClient
}

/** One client for all operations, in the order in which they come. */
export function createWriterClient({ onError, ...parts }: WriterClientParts): GroupClient {
  const client: GroupClient = createGroupClient({ ...parts, onLate: letGoThrough(() => client, onError) })
  return client
}

/**
 * Two clients, so that an admission never waits for the one chain that all settlements append to. While a settlement cannot
 * be written, nothing is admitted (money.md §2).
 */
export function createMoneyLanes(parts: MoneyLanesParts): MoneyLanes {
  const { channels, clock, mayAdmit, onStuck, onError } = parts
  const settlements = createGroupClient({ channel: channels.settlements, clock, ...(onStuck && { onStuck }) })
  const admissions = createGroupClient({
    channel: channels.admissions,
    clock,
    mayAdmit: () => !settlements.isHopeless && (mayAdmit?.() ?? true),
    onLate: letGoThrough(() => settlements, onError),
  })
  return { admissions, settlements }
}

interface MoneyLanesParts extends Omit<WriterClientParts, 'channel'>, Pick<GroupClientParts, 'mayAdmit'> {
  readonly channels: Readonly<Record<keyof MoneyLanes, GroupChannel>>
}

/** An admission that comes through after its caller was refused holds money for nobody: it is let go at once. */
function letGoThrough(client: () => GroupClient, onError: (error: unknown) => void) {
  return (operation: Operation, value: unknown) => {
    if (operation.kind !== 'admit' || !isAdmitted(value)) return
    client().run(releaseOf(operation), { keep: true }).catch(onError)
  }
}

function isAdmitted(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'admitted' in value && value.admitted === true
}

function releaseOf({ request }: Extract<Operation, { kind: 'admit' }>): Extract<Operation, { kind: 'settle' }> {
  const { generationId, model, nowMs, holdId } = request
  const record: PackedSettlement['record'] = {
    generationId,
    model,
    outcome: 'refused',
    status: unavailableStatus,
    usage: noUsage,
    costDelivered: false,
    createdAtMs: nowMs,
    details: detailsOf(request),
  }
  const nothing = { chargeNano: 0n, lines: [], writeoffNano: 0n, tokensUsed: 0, freeFailure: null }
  return { kind: 'settle', settlement: { holdId, ...nothing, record, atMs: nowMs } }
}

/** What the caller was told. */
const unavailableStatus = 503

function detailsOf({ requestId, priceVersion, surface, stream }: AdmissionRequest): string {
  return encodeUsageDetails({
    requestId,
    priceVersion,
    surface,
    engine: null,
    engineCompletionId: null,
    status: unavailableStatus,
    stream,
    usage: noUsage,
    usageSource: 'estimated',
    finishReason: null,
    attempts: [],
    firstByteMs: null,
    totalMs: 0,
  })
}
