import type { Selectable } from 'kysely'
import type { CurrencyParts } from '../../../../core/currency.ts'
import type { AccountId, HoldId, KeyId } from '../../../../core/ids.ts'
import { fromDbHoldMark, type HoldMark } from '../../sql/hold-mark.ts'
import { fromDbAmount, fromDbNumber } from '../../sql/mapping.ts'
import type { HoldsTable } from '../../sql/tables.ts'
import { decodeParts, encodeParts } from '../../sql/texts/currency-parts.ts'
import { decodeHoldFacts, encodeHoldFacts, type HoldFacts } from '../../sql/texts/hold-facts.ts'
import type { SqliteDatabase } from '../connection.ts'
import { createBulkStatement, insertText } from './bulk-statement.ts'

/** An open hold, with what the usage record needs should the process die. Only its amount and the mark ever change. */
export interface OpenHold extends HoldFacts {
  readonly seq: number
  readonly id: HoldId
  readonly accountNo: number
  readonly accountId: AccountId
  readonly keyNo: number
  readonly keyId: KeyId
  amountNano: bigint
  parts: CurrencyParts | null
  mark: HoldMark | null
}

export interface HoldRows {
  find(id: HoldId): OpenHold | null
  all(): IterableIterator<OpenHold>
  place(hold: OpenHold): void
  remove(hold: OpenHold): void
  mark(hold: OpenHold, mark: HoldMark): void
  lower(hold: OpenHold, to: Pick<OpenHold, 'amountNano' | 'parts'>): void
  flush(): void
  forget(): void
}

const insertColumns = ['seq', 'id', 'account_no', 'key_no', 'amount_nano', 'facts', 'parts']

/**
 * The whole table of open holds, mirrored in memory: it is as small as what runs at this moment. The mirror is read
 * again when it was forgotten, so a settlement needs neither a query nor an index over random ids.
 */
export function createHoldRows(database: SqliteDatabase): HoldRows {
  const selectAll = database.prepare(
    'select holds.*, accounts.id as account_id, api_keys.id as key_id from holds' +
      ' join accounts on accounts.no = holds.account_no join api_keys on api_keys.no = holds.key_no order by seq',
  )
  const inserts = createBulkStatement(database, insertText('holds', insertColumns))
  const deletes = createBulkStatement(database, { before: 'delete from holds where seq in (', row: '?', after: ')' })
  const updateMark = database.prepare(
    'update holds set mark_charge_nano = ?, mark_prompt_tokens = ?, mark_completion_tokens = ?, mark_searches = ?,' +
      ' mark_pages = ? where seq = ?',
  )
  const updateAmount = database.prepare('update holds set amount_nano = ?, parts = ? where seq = ?')
  let mirror: Map<HoldId, OpenHold> | null = null
  const marked = new Set<OpenHold>()
  const lowered = new Set<OpenHold>()

  function holds(): Map<HoldId, OpenHold> {
    mirror ??= new Map((selectAll.all([]) as HoldRow[]).map(row => [row.id, fromDbHold(row)]))
    return mirror
  }

  return {
    find: id => holds().get(id) ?? null,
    all: () => holds().values(),
    place(hold) {
      if (holds().has(hold.id)) throw new RangeError('a hold of this id is open')
      holds().set(hold.id, hold)
      const { seq, id, accountNo, keyNo, amountNano, parts } = hold
      inserts.add([seq, id, accountNo, keyNo, amountNano, encodeHoldFacts(hold), encodeParts(parts)])
    },
    remove(hold) {
      holds().delete(hold.id)
      marked.delete(hold)
      lowered.delete(hold)
      deletes.add([hold.seq])
    },
    mark(hold, mark) {
      hold.mark = mark
      marked.add(hold)
    },
    lower(hold, { amountNano, parts }) {
      hold.amountNano = amountNano
      hold.parts = parts
      lowered.add(hold)
    },
    flush() {
      inserts.flush()
      deletes.flush()
      for (const { mark, seq } of marked) {
        if (mark !== null) updateMark.run([...markValues(mark), seq])
      }
      marked.clear()
      for (const { amountNano, parts, seq } of lowered) updateAmount.run([amountNano, encodeParts(parts), seq])
      lowered.clear()
    },
    forget() {
      mirror = null
      marked.clear()
      lowered.clear()
      inserts.forget()
      deletes.forget()
    },
  }
}

type HoldRow = Selectable<HoldsTable> & { readonly account_id: string; readonly key_id: string }

function fromDbHold(row: HoldRow): OpenHold {
  return {
    ...decodeHoldFacts(row.facts),
    seq: fromDbNumber(row.seq),
    id: row.id,
    accountNo: fromDbNumber(row.account_no),
    accountId: row.account_id,
    keyNo: fromDbNumber(row.key_no),
    keyId: row.key_id,
    amountNano: fromDbAmount(row.amount_nano),
    parts: decodeParts(row.parts),
    mark: fromDbHoldMark(row),
  }
}

function markValues({ chargeNano, promptTokens, completionTokens, fees }: HoldMark): (bigint | number)[] {
  return [chargeNano, promptTokens, completionTokens, fees.searches, fees.pages]
}
