import { sql } from 'kysely'
import type { UsageGrouping, UsageSummaries, UsageSummary, UsageSummaryQuery } from '../../../../domain/usage/types.ts'
import { countedColumns } from '../counted-columns.ts'
import { fromDbAmount, fromDbNumber, type RawInteger } from '../mapping.ts'
import type { Sql } from '../tables.ts'
import { type Condition, findFilter, type StoredFilter } from './usage-filter.ts'

const groupsMax = 10_000
/** Some thousand years; beyond it a number is no day. */
const daysMax = 10_000_000

/** Adds up the sums per day, which are as few as accounts, keys and models were in use, however many the records are. */
export async function summariseUsage(db: Sql, query: UsageSummaryQuery): Promise<UsageSummaries> {
  const { fromDay, toDay, by } = query
  for (const day of [fromDay, toDay])
    if (!Number.isSafeInteger(day) || Math.abs(day) > daysMax) throw new RangeError('a day is a whole number')
  const filter = await findFilter(db, query)
  if (filter === null) return { groups: [], truncated: false }
  const limit = Math.max(Math.min(query.limit, groupsMax), 1)
  const conditions = [sql`day between ${fromDay} and ${toDay}`, ...filter.sums.where]
  const rows = await readGroups(db, { by, from: filter.sums.from, conditions, limit: limit + 1 })
  return { groups: rows.slice(0, limit).map(fromDbSummary), truncated: rows.length > limit }
}

interface GroupQuery {
  readonly by: readonly UsageGrouping[]
  readonly from: StoredFilter['sums']['from']
  readonly conditions: readonly Condition[]
  readonly limit: number
}

const columns = { day: 'day', model: 'model', key: 'key_no', account: 'account_no' } as const
const types = { day: sql`bigint`, model: sql`text`, key: sql`bigint`, account: sql`bigint` }

async function readGroups(db: Sql, { by, from, conditions, limit }: GroupQuery): Promise<SummaryRow[]> {
  const names = Object.keys(columns) as UsageGrouping[]
  const common = names.map(name => {
    const value = by.includes(name) ? sql.ref(columns[name]) : sql`cast(null as ${types[name]})`
    return sql`${value} as ${sql.ref(columns[name])}`
  })
  const grouped = names.filter(name => by.includes(name)).map(name => sql.ref(columns[name]))
  const totals = countedColumns.map(name => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`)
  const { rows } = await sql<SummaryRow>`
    select summaries.*, (select id from accounts where no = account_no) as account_id,
      (select id from api_keys where no = key_no) as key_id
    from (
      select ${sql.join([...common, ...totals])} from ${from} where ${sql.join(conditions, sql` and `)}
      ${grouped.length === 0 ? sql`` : sql`group by ${sql.join(grouped)}`}
      having sum(requests) > 0
    ) as summaries
    order by ${by.includes('day') ? sql`day,` : sql``} cost_nano desc, model, key_no, account_no
    limit ${limit}`.execute(db)
  return rows
}

type SummaryRow = Readonly<Record<(typeof countedColumns)[number], RawInteger>> & {
  readonly day: RawInteger | null
  readonly model: string | null
  readonly account_id: string | null
  readonly key_id: string | null
}

function fromDbSummary(row: SummaryRow): UsageSummary {
  return {
    day: row.day === null ? null : fromDbNumber(row.day),
    model: row.model,
    accountId: row.account_id,
    keyId: row.key_id,
    requests: fromDbNumber(row.requests),
    promptTokens: fromDbNumber(row.prompt_tokens),
    completionTokens: fromDbNumber(row.completion_tokens),
    cachedTokens: fromDbNumber(row.cached_tokens),
    cacheWriteTokens: fromDbNumber(row.cache_write_tokens),
    reasoningTokens: fromDbNumber(row.reasoning_tokens),
    costNano: fromDbAmount(row.cost_nano),
    writeoffNano: fromDbAmount(row.writeoff_nano),
    diemNano: fromDbAmount(row.diem_nano),
  }
}
