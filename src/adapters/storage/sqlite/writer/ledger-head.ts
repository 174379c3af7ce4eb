import type { Selectable } from 'kysely'
import { fromDbNumber } from '../../sql/mapping.ts'
import type { Tables } from '../../sql/tables.ts'
import type { SqliteDatabase } from '../connection.ts'

/** How far holds and transfers are numbered. Numbers are never used twice, also when the rows that had them are gone. */
export interface LedgerHead {
  readonly lastTransferSeq: number
  readonly lastTransferHash: string
  nextHoldSeq(): number
  appendTransfer(hash: string): void
  flush(): void
  forget(): void
}

interface HeadState {
  holdSeq: number
  transferSeq: number
  transferHash: string
}

export function createLedgerHead(database: SqliteDatabase): LedgerHead {
  const select = database.prepare('select * from ledger_head')
  const update = database.prepare('update ledger_head set hold_seq = ?, transfer_seq = ?, transfer_hash = ?')
  let state: HeadState | null = null
  let changed = false

  function head(): HeadState {
    state ??= fromDbHead(select.get([]) as Selectable<Tables['ledger_head']>)
    return state
  }

  return {
    get lastTransferSeq() {
      return head().transferSeq
    },
    get lastTransferHash() {
      return head().transferHash
    },
    nextHoldSeq() {
      changed = true
      head().holdSeq += 1
      return head().holdSeq
    },
    appendTransfer(hash) {
      changed = true
      head().transferSeq += 1
      head().transferHash = hash
    },
    flush() {
      if (!changed) return
      const { holdSeq, transferSeq, transferHash } = head()
      update.run([holdSeq, transferSeq, transferHash])
      changed = false
    },
    forget() {
      state = null
      changed = false
    },
  }
}

function fromDbHead(row: Selectable<Tables['ledger_head']>): HeadState {
  return {
    holdSeq: fromDbNumber(row.hold_seq),
    transferSeq: fromDbNumber(row.transfer_seq),
    transferHash: row.transfer_hash,
  }
}
