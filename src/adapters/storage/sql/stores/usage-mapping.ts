import type { Selectable } from 'kysely'
import type { Outcome, StoredUsageRecord } from '../../../../domain/usage/types.ts'
import { fromDbAmount, fromDbFlag, fromDbNumber, fromDbWord } from '../mapping.ts'
import type { UsageRecordsTable } from '../tables.ts'
import { decodeChargeLines, decodeUsageDetails } from '../texts/usage-details.ts'

export const outcomes: readonly Outcome[] = [
  'done',
  'client_abort',
  'upstream_fail',
  'deadline',
  'drained',
  'crashed_recovered',
  'refused',
]

/** The columns of a record that are read to show it; what its text says too is left out. */
export const shownColumns = [
  'generation_id',
  'hold_id',
  'hold_seq',
  'day',
  'model',
  'outcome',
  'cost_delivered',
  'created_at_ms',
  'held_nano',
  'cost_nano',
  'lines',
  'details',
] as const

export type ShownRow = Pick<Selectable<UsageRecordsTable>, (typeof shownColumns)[number]> & {
  readonly account_id: string
  readonly key_id: string | null
}

export function fromDbUsageRecord(row: ShownRow): StoredUsageRecord {
  return {
    generationId: row.generation_id,
    holdId: row.hold_id,
    accountId: row.account_id,
    keyId: row.key_id,
    model: row.model,
    outcome: fromDbWord(row.outcome, outcomes),
    costDelivered: fromDbFlag(row.cost_delivered),
    createdAtMs: fromDbNumber(row.created_at_ms),
    ...decodeUsageDetails(row.details),
    heldNano: fromDbAmount(row.held_nano),
    costNano: fromDbAmount(row.cost_nano),
    lines: decodeChargeLines(row.lines),
  }
}
