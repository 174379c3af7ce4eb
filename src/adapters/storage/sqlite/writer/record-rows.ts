import type { Selectable } from 'kysely'
import type { AccountId, HoldId, KeyId } from '../../../../core/ids.ts'
import type { ChargeLine } from '../../../../core/price.ts'
import type { Outcome } from '../../../../domain/usage/types.ts'
import { fromDbAmount, fromDbNumber, toDbFlag } from '../../sql/mapping.ts'
import type { UsageRecordsTable } from '../../sql/tables.ts'
import { decodeChargeLines, encodeChargeLines } from '../../sql/texts/usage-details.ts'
import type { SqliteDatabase } from '../connection.ts'
import { createBulkStatement, insertText, type SqlValue } from './bulk-statement.ts'
import type { OpenHold } from './hold-rows.ts'

/** How a hold was resolved: what the books took, and the searchable part of the request's explanation. */
export interface Resolution {
  readonly hold: OpenHold
  readonly record: RecordFacts
  readonly swept: boolean
  readonly costNano: bigint
  readonly lines: readonly ChargeLine[]
  readonly writeoffNano: bigint
}

/** The part of a usage record that has columns of its own, and the rest as text. */
export interface RecordFacts {
  readonly generationId: string
  readonly model: string
  readonly outcome: Outcome
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

interface Correction extends Pick<Resolution, 'record' | 'costNano' | 'lines' | 'writeoffNano'> {
  readonly balanceAfterNano: bigint
}

export interface RecordRows {
  readonly pending: number
  add(resolution: Resolution, balanceBeforeNano: bigint): void
  /** Sees only what was flushed. */
  find(id: HoldId): FoundResolution | null
  correct(holdSeq: number, correction: Correction): void
  flush(): void
  forget(): void
}

type RecordRow = Selectable<UsageRecordsTable> & { readonly account_id: string; readonly key_id: string | null }

const settledColumns = [
  'hold_seq',
  'hold_id',
  'generation_id',
  'account_no',
  'key_no',
  'model',
  'outcome',
  'held_nano',
  'cost_nano',
  'writeoff_nano',
  'balance_before_nano',
  'cost_delivered',
  'created_at_ms',
  'lines',
  'details',
]
const sweptColumns = [...settledColumns, 'swept', 'overdraft_nano']

/** Values of the column `swept` (see tables.ts). */
const sweptValues = { swept: 1, corrected: 2 }

export function createRecordRows(database: SqliteDatabase): RecordRows {
  const settled = createBulkStatement(database, insertText('usage_records', settledColumns))
  const swept = createBulkStatement(database, insertText('usage_records', sweptColumns))
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
      return settled.pending + swept.pending
    },
    add(resolution, balanceBeforeNano) {
      const row = toDbRecord(resolution, balanceBeforeNano)
      if (resolution.swept) swept.add([...row, sweptValues.swept, resolution.hold.overdraftNano])
      else settled.add(row)
    },
    find(id) {
      const row = select.get([id]) as RecordRow | undefined
      return row === undefined ? null : fromDbResolution(row)
    },
    correct(holdSeq, { record, costNano, lines, writeoffNano, balanceAfterNano }) {
      const { outcome, costDelivered, details } = record
      const amounts = [costNano, writeoffNano, balanceAfterNano]
      update.run([outcome, ...amounts, toDbFlag(costDelivered), encodeChargeLines(lines), details, holdSeq])
    },
    flush() {
      settled.flush()
      swept.flush()
    },
    forget() {
      settled.forget()
      swept.forget()
    },
  }
}

function toDbRecord(resolution: Resolution, balanceBeforeNano: bigint): readonly SqlValue[] {
  const { hold, record, costNano, lines, writeoffNano } = resolution
  return [
    hold.seq,
    hold.id,
    record.generationId,
    hold.accountNo,
    hold.keyNo,
    record.model,
    record.outcome,
    hold.amountNano,
    costNano,
    writeoffNano,
    balanceBeforeNano,
    toDbFlag(record.costDelivered),
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
