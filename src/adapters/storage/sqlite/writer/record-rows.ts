import type { Selectable } from 'kysely'
import type { AccountId, HoldId, KeyId } from '../../../../core/ids.ts'
import type { ChargeLine } from '../../../../core/price.ts'
import type { Outcome } from '../../../../domain/usage/types.ts'
import { fromDbAmount, fromDbNumber } from '../../sql/mapping.ts'
import type { UsageRecordsTable } from '../../sql/tables.ts'
import { decodeChargeLines, encodeChargeLines } from '../../sql/usage-details.ts'
import type { SqliteDatabase } from '../connection.ts'
import { createBulkStatement, insertText } from './bulk-statement.ts'
import type { OpenHold } from './hold-rows.ts'

/** How a hold was resolved: what the books took, and the searchable part of the request's explanation. */
export interface Resolution {
  readonly hold: OpenHold
  readonly record: RecordFacts
  readonly swept: boolean
  readonly costNano: bigint
  readonly lines: readonly ChargeLine[]
  readonly writeoffNano: bigint
  readonly balanceBeforeNano: bigint
}

/** The part of a usage record that has columns of its own, and the rest as text. */
export interface RecordFacts {
  readonly requestId: string
  readonly generationId: string
  readonly model: string
  readonly outcome: Outcome
  readonly priceVersion: string
  readonly costDelivered: boolean
  readonly createdAtMs: number
  readonly details: string
}

/** A resolution as it is found again, when another settlement comes for the same hold. */
export interface FoundResolution {
  readonly holdSeq: number
  readonly accountId: AccountId
  readonly keyId: KeyId | null
  /** True while the settlement that recovery or the sweeper anticipated may still correct it. */
  readonly adjustable: boolean
  readonly heldNano: bigint
  readonly overdraftNano: bigint
  readonly costNano: bigint
  readonly lines: readonly ChargeLine[]
}

export interface Correction extends Pick<Resolution, 'record' | 'costNano' | 'lines' | 'writeoffNano'> {
  readonly balanceAfterNano: bigint
}

export interface RecordRows {
  readonly pending: number
  add(resolution: Resolution): void
  /** Sees only what was flushed. */
  find(id: HoldId): FoundResolution | null
  correct(holdSeq: number, correction: Correction): void
  flush(): void
  forget(): void
}

type RecordRow = Selectable<UsageRecordsTable> & { readonly account_id: string; readonly key_id: string | null }

const insertColumns = [
  'hold_seq',
  'hold_id',
  'request_id',
  'generation_id',
  'account_no',
  'key_no',
  'model',
  'outcome',
  'swept',
  'held_nano',
  'cost_nano',
  'writeoff_nano',
  'overdraft_nano',
  'balance_before_nano',
  'balance_after_nano',
  'cost_delivered',
  'price_version',
  'created_at_ms',
  'lines',
  'details',
]

/** Values of the column `swept` (see tables.ts). */
const sweptValues = { settled: 0, swept: 1, corrected: 2 }

export function createRecordRows(database: SqliteDatabase): RecordRows {
  const inserts = createBulkStatement(database, insertColumns.length, rows =>
    insertText('usage_records', insertColumns, rows),
  )
  const select = database.prepare(
    'select usage_records.*, accounts.id as account_id, api_keys.id as key_id from usage_records' +
      ' join accounts on accounts.no = usage_records.account_no' +
      ' left join api_keys on api_keys.no = usage_records.key_no where hold_id = ?',
  )
  const update = database.prepare(
    `update usage_records set swept = ${sweptValues.corrected}, outcome = ?, cost_nano = ?, writeoff_nano = ?,` +
      ' balance_after_nano = ?, cost_delivered = ?, lines = ?, details = ? where hold_seq = ?',
  )
  return {
    get pending() {
      return inserts.pending
    },
    add: resolution => inserts.add(toDbRecord(resolution)),
    find(id) {
      const row = select.get([id]) as RecordRow | undefined
      return row === undefined ? null : fromDbResolution(row)
    },
    correct(holdSeq, { record, costNano, lines, writeoffNano, balanceAfterNano }) {
      const { outcome, costDelivered, details } = record
      const amounts = [costNano, writeoffNano, balanceAfterNano]
      update.run([outcome, ...amounts, costDelivered ? 1 : 0, encodeChargeLines(lines), details, holdSeq])
    },
    flush: inserts.flush,
    forget: inserts.forget,
  }
}

function toDbRecord(resolution: Resolution): readonly (string | number | bigint | null)[] {
  const { hold, record, swept, costNano, lines, writeoffNano, balanceBeforeNano } = resolution
  return [
    hold.seq,
    hold.id,
    record.requestId,
    record.generationId,
    hold.accountNo,
    hold.keyNo,
    record.model,
    record.outcome,
    swept ? sweptValues.swept : sweptValues.settled,
    hold.amountNano,
    costNano,
    writeoffNano,
    hold.overdraftNano,
    balanceBeforeNano,
    balanceBeforeNano - costNano,
    record.costDelivered ? 1 : 0,
    record.priceVersion,
    record.createdAtMs,
    encodeChargeLines(lines),
    record.details,
  ]
}

function fromDbResolution(row: RecordRow): FoundResolution {
  return {
    holdSeq: fromDbNumber(row.hold_seq),
    accountId: row.account_id,
    keyId: row.key_id,
    adjustable: fromDbNumber(row.swept) === sweptValues.swept,
    heldNano: fromDbAmount(row.held_nano),
    overdraftNano: fromDbAmount(row.overdraft_nano),
    costNano: fromDbAmount(row.cost_nano),
    lines: decodeChargeLines(row.lines),
  }
}
