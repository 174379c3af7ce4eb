import { noUsage } from '../../../../core/usage.ts'
import type { AdmissionRequest } from '../../../../domain/admission/types.ts'
import { encodeUsageDetails } from '../../sql/texts/usage-details.ts'
import type { Operation } from '../protocol.ts'
import type { PackedSettlement } from '../writer/settle.ts'
import { createGroupClient, type GroupClient, type GroupClientParts } from './group-client.ts'

export interface WriterClientParts extends Omit<GroupClientParts, 'onLate'> {
  /** Told when an operation that nobody waits for failed. */
  readonly onError: (error: unknown) => void
}

/**
 * The client of the thread that writes. An admission that comes through after its caller was refused holds money for
 * nobody: it is let go at once.
 */
export function createWriterClient({ onError, ...parts }: WriterClientParts): GroupClient {
  const client: GroupClient = createGroupClient({
    ...parts,
    onLate(operation, value) {
      if (operation.kind !== 'admit' || !isAdmitted(value)) return
      client.run(releaseOf(operation), { keep: true }).catch(onError)
    },
  })
  return client
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
