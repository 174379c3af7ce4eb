import type { Selectable } from 'kysely'
import type { Outcome, StoredUsageRecord, UsageQuery } from '../../../../domain/usage/types.ts'
import type { UsageStore } from '../../../../domain/usage/usage-store.ts'
import { fromDbAmount, fromDbFlag, fromDbNumber, fromDbWord } from '../mapping.ts'
import type { Sql, UsageRecordsTable } from '../tables.ts'
import { decodeChargeLines, decodeUsageDetails } from '../texts/usage-details.ts'
import { pruneUsage } from './prune-usage.ts'

/** Rows that one page shows at most (operator.md §4). */
const pageRowsMax = 1_000

const outcomes: readonly Outcome[] = [
  'done',
  'client_abort',
  'upstream_fail',
  'deadline',
  'drained',
  'crashed_recovered',
  'refused',
]

export function createUsageStore(sql: Sql): UsageStore {
  return {
    async findByGeneration(generationId, accountId) {
      const known = selectRecords(sql).where('generation_id', '=', generationId)
      const row = await (accountId === null ? known : known.where('accounts.id', '=', accountId)).executeTakeFirst()
      return row === undefined ? null : fromDbUsageRecord(row)
    },
    async list(query) {
      const limit = Math.max(Math.min(query.limit, pageRowsMax), 1)
      const rows = await selectPage(sql, query)
        .limit(limit + 1)
        .execute()
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      const hasMore = rows.length > limit && last !== undefined
      return { records: page.map(fromDbUsageRecord), nextCursor: hasMore ? String(last.hold_seq) : null }
    },
    prune: (beforeMs, limit) => pruneUsage(sql, beforeMs, limit),
  }
}

function selectRecords(sql: Sql) {
  return sql
    .selectFrom('usage_records')
    .innerJoin('accounts', 'accounts.no', 'usage_records.account_no')
    .leftJoin('api_keys', 'api_keys.no', 'usage_records.key_no')
    .selectAll('usage_records')
    .select(['accounts.id as account_id', 'api_keys.id as key_id'])
}

/** The newest first; a cursor is the number of the last hold that was shown. */
function selectPage(sql: Sql, { accountId, model, outcome, cursor }: UsageQuery) {
  let rows = selectRecords(sql).orderBy('hold_seq', 'desc')
  if (accountId !== null) rows = rows.where('accounts.id', '=', accountId)
  if (model !== null) rows = rows.where('usage_records.model', '=', model)
  if (outcome !== null) rows = rows.where('outcome', '=', outcome)
  if (cursor !== null) rows = rows.where('hold_seq', '<', holdSeqOf(cursor))
  return rows
}

/** @throws RangeError for a cursor that no page gave out. */
function holdSeqOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw new RangeError('cursor is not one that a page gave out')
  return Number(cursor)
}

type RecordWithIds = Selectable<UsageRecordsTable> & { readonly account_id: string; readonly key_id: string | null }

function fromDbUsageRecord(row: RecordWithIds): StoredUsageRecord {
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
