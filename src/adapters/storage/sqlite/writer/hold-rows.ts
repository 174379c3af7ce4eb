import type { Selectable } from 'kysely'
import type { AccountId, HoldId, KeyId, RequestId } from '../../../../core/ids.ts'
import type { Limit } from '../../../../domain/limits/types.ts'
import { fromDbAmount, fromDbAmountOrNull, fromDbFlag, fromDbNumber, fromDbNumberOrNull } from '../../sql/mapping.ts'
import type { HoldsTable } from '../../sql/tables.ts'
import type { SqliteDatabase } from '../connection.ts'
import { createBulkStatement, insertText } from './bulk-statement.ts'

/** An open hold, with what the usage record needs should the process die. Only the mark ever changes. */
export interface OpenHold {
  readonly seq: number
  readonly id: HoldId
  readonly requestId: RequestId
  readonly generationId: string
  readonly accountNo: number
  readonly accountId: AccountId
  readonly keyNo: number
  readonly keyId: KeyId
  readonly model: string
  readonly surface: string
  readonly stream: boolean
  readonly priceVersion: string
  readonly processId: string
  readonly amountNano: bigint
  /** How far below zero the account was allowed to go when the hold was placed. */
  readonly overdraftNano: bigint
  readonly tokensTaken: number
  readonly tokensPerMinute: Limit
  readonly createdAtMs: number
  readonly deadlineAtMs: number
  mark: HoldMark | null
}

export interface HoldMark {
  readonly chargeNano: bigint
  readonly promptTokens: number
  readonly completionTokens: number
}

export interface HoldRows {
  find(id: HoldId): OpenHold | null
  all(): IterableIterator<OpenHold>
  place(hold: OpenHold): void
  remove(hold: OpenHold): void
  mark(hold: OpenHold, mark: HoldMark): void
  flush(): void
  forget(): void
}

const insertColumns = [
  'seq',
  'id',
  'request_id',
  'generation_id',
  'account_no',
  'key_no',
  'model',
  'surface',
  'stream',
  'price_version',
  'process_id',
  'amount_nano',
  'overdraft_nano',
  'tokens_taken',
  'tokens_per_minute',
  'created_at_ms',
  'deadline_at_ms',
]

type HoldRow = Selectable<HoldsTable> & { readonly account_id: string; readonly key_id: string }

/**
 * The whole table of open holds, mirrored in memory: it is as small as what runs at this moment. The mirror is read
 * again when it was forgotten, so a settlement needs neither a query nor an index over random ids.
 */
export function createHoldRows(database: SqliteDatabase): HoldRows {
  const selectAll = database.prepare(
    'select holds.*, accounts.id as account_id, api_keys.id as key_id from holds' +
      ' join accounts on accounts.no = holds.account_no join api_keys on api_keys.no = holds.key_no order by seq',
  )
  const inserts = createBulkStatement(database, insertColumns.length, rows => insertText('holds', insertColumns, rows))
  const deletes = createBulkStatement(
    database,
    1,
    rows => `delete from holds where seq in (${Array.from({ length: rows }, () => '?').join(', ')})`,
  )
  const updateMark = database.prepare(
    'update holds set mark_charge_nano = ?, mark_prompt_tokens = ?, mark_completion_tokens = ? where seq = ?',
  )
  let mirror: Map<HoldId, OpenHold> | null = null
  let marked = new Set<OpenHold>()

  function holds(): Map<HoldId, OpenHold> {
    mirror ??= new Map((selectAll.all([]) as HoldRow[]).map(row => [row.id, fromDbHold(row)]))
    return mirror
  }

  return {
    find: id => holds().get(id) ?? null,
    all: () => holds().values(),
    place(hold) {
      holds().set(hold.id, hold)
      inserts.add(toDbHold(hold))
    },
    remove(hold) {
      holds().delete(hold.id)
      marked.delete(hold)
      deletes.add([hold.seq])
    },
    mark(hold, mark) {
      hold.mark = mark
      marked.add(hold)
    },
    flush() {
      inserts.flush()
      deletes.flush()
      for (const { mark, seq } of marked) {
        if (mark !== null) updateMark.run([mark.chargeNano, mark.promptTokens, mark.completionTokens, seq])
      }
      marked.clear()
    },
    forget() {
      mirror = null
      marked = new Set()
      inserts.forget()
      deletes.forget()
    },
  }
}

function toDbHold(hold: OpenHold): readonly (string | number | bigint | null)[] {
  return [
    hold.seq,
    hold.id,
    hold.requestId,
    hold.generationId,
    hold.accountNo,
    hold.keyNo,
    hold.model,
    hold.surface,
    hold.stream ? 1 : 0,
    hold.priceVersion,
    hold.processId,
    hold.amountNano,
    hold.overdraftNano,
    hold.tokensTaken,
    hold.tokensPerMinute === 'unlimited' ? null : hold.tokensPerMinute,
    hold.createdAtMs,
    hold.deadlineAtMs,
  ]
}

function fromDbHold(row: HoldRow): OpenHold {
  const chargeNano = fromDbAmountOrNull(row.mark_charge_nano)
  return {
    seq: fromDbNumber(row.seq),
    id: row.id,
    requestId: row.request_id,
    generationId: row.generation_id,
    accountNo: fromDbNumber(row.account_no),
    accountId: row.account_id,
    keyNo: fromDbNumber(row.key_no),
    keyId: row.key_id,
    model: row.model,
    surface: row.surface,
    stream: fromDbFlag(row.stream),
    priceVersion: row.price_version,
    processId: row.process_id,
    amountNano: fromDbAmount(row.amount_nano),
    overdraftNano: fromDbAmount(row.overdraft_nano),
    tokensTaken: fromDbNumber(row.tokens_taken),
    tokensPerMinute: fromDbNumberOrNull(row.tokens_per_minute) ?? 'unlimited',
    createdAtMs: fromDbNumber(row.created_at_ms),
    deadlineAtMs: fromDbNumber(row.deadline_at_ms),
    mark:
      chargeNano === null
        ? null
        : {
            chargeNano,
            promptTokens: fromDbNumberOrNull(row.mark_prompt_tokens) ?? 0,
            completionTokens: fromDbNumberOrNull(row.mark_completion_tokens) ?? 0,
          },
  }
}
