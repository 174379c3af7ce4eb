import type { Selectable } from 'kysely'
import type { CurrencyParts } from '../../../../core/currency.ts'
import type { AccountId, HoldId, KeyId } from '../../../../core/ids.ts'
import type { ChargeLine } from '../../../../core/price.ts'
import type { RecordFacts } from '../../groups/operations.ts'
import { fromDbAmount, fromDbNumber, fromDbWord, toDbFlag } from '../../sql/mapping.ts'
import { outcomes } from '../../sql/stores/usage-mapping.ts'
import type { UsageRecordsTable } from '../../sql/tables.ts'
import { decodeParts, encodeParts } from '../../sql/texts/currency-parts.ts'
import { decodeChargeLines, decodeUsageDetails, encodeChargeLines } from '../../sql/texts/usage-details.ts'
import type { SqliteDatabase } from '../connection.ts'
import { createBulkStatement, insertText, type SqlValue } from './bulk-statement.ts'
import type { OpenHold } from './hold-rows.ts'
import type { CountedRecord } from './usage-day-rows.ts'

/** How a hold was resolved: what the books took, and the searchable part of the request's explanation. */
export interface Resolution {
  readonly hold: OpenHold
  readonly record: RecordFacts
  readonly swept: boolean
  readonly costNano: bigint
  /** What of it was not paid in dollars. */
  readonly paid: CurrencyParts | null
  readonly lines: readonly ChargeLine[]
  readonly writeoffNano: bigint
}

/** A resolution as it is found again, when another settlement comes for the same hold. */
export interface FoundResolution {
  readonly holdSeq: number
  readonly accountId: AccountId
  readonly keyId: KeyId | null
  /** True while the settlement that recovery or the sweeper anticipated may still correct it. */
  readonly adjustable: boolean
  readonly heldNano: bigint
  readonly heldParts: CurrencyParts | null
  readonly overdraftNano: bigint
  readonly costNano: bigint
  readonly paidParts: CurrencyParts | null
  readonly lines: readonly ChargeLine[]
  /** As it stands in the sums. */
  readonly counted: CountedRecord
}

export interface Correction extends Pick<Resolution, 'record' | 'costNano' | 'paid' | 'lines' | 'writeoffNano'> {
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
/** Of records that recovery or the sweeper wrote, or that were not paid in dollars alone. */
const unusualColumns = [...settledColumns, 'swept', 'overdraft_nano', 'held_parts', 'paid_parts', 'diem_nano']

/** Values of the column `swept` (see tables.ts). */
const sweptValues = { swept: 1, corrected: 2 }

export function createRecordRows(database: SqliteDatabase): RecordRows {
  const settled = createBulkStatement(database, insertText('usage_records', settledColumns))
  const unusual = createBulkStatement(database, insertText('usage_records', unusualColumns))
  const select = database.prepare(
    'select usage_records.*, accounts.id as account_id, api_keys.id as key_id from usage_records' +
      ' join accounts on accounts.no = usage_records.account_no' +
      ' left join api_keys on api_keys.no = usage_records.key_no where hold_id = ?',
  )
  const update = database.prepare(
    `update usage_records set swept = ${sweptValues.corrected}, outcome = ?, cost_nano = ?, writeoff_nano = ?,` +
      ' balance_after_nano = ?, paid_parts = ?, diem_nano = ?, cost_delivered = ?, lines = ?, details = ? where hold_seq = ?',
  )
  return {
    get pending() {
      return settled.pending + unusual.pending
    },
    add(resolution, balanceBeforeNano) {
      const row = toDbRecord(resolution, balanceBeforeNano)
      const { hold, swept, paid } = resolution
      if (swept || hold.parts !== null) {
        const origin = swept ? [sweptValues.swept, hold.overdraftNano] : [0, 0]
        unusual.add([...row, ...origin, encodeParts(hold.parts), encodeParts(paid), paid?.diemNano ?? 0n])
      } else settled.add(row)
    },
    find(id) {
      const row = select.get([id]) as RecordRow | undefined
      return row === undefined ? null : fromDbResolution(row)
    },
    correct(holdSeq, { record, costNano, paid, lines, writeoffNano, balanceAfterNano }) {
      const { outcome, costDelivered, details } = record
      const amounts = [costNano, writeoffNano, balanceAfterNano, encodeParts(paid), paid?.diemNano ?? 0n]
      update.run([outcome, ...amounts, toDbFlag(costDelivered), encodeChargeLines(lines), details, holdSeq])
    },
    flush() {
      settled.flush()
      unusual.flush()
    },
    forget() {
      settled.forget()
      unusual.forget()
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
    heldParts: decodeParts(row.held_parts),
    overdraftNano: fromDbAmount(row.overdraft_nano),
    costNano: fromDbAmount(row.cost_nano),
    paidParts: decodeParts(row.paid_parts),
    lines: decodeChargeLines(row.lines),
    counted: fromDbCounted(row),
  }
}

function fromDbCounted(row: RecordRow): CountedRecord {
  return {
    accountNo: fromDbNumber(row.account_no),
    keyNo: fromDbNumber(row.key_no ?? 0),
    model: row.model,
    outcome: fromDbWord(row.outcome, outcomes),
    createdAtMs: fromDbNumber(row.created_at_ms),
    usage: decodeUsageDetails(row.details).usage,
    costNano: fromDbAmount(row.cost_nano),
    writeoffNano: fromDbAmount(row.writeoff_nano),
    diemNano: fromDbAmount(row.diem_nano),
  }
}
