import type { PriceList } from '../../../../core/price.ts'
import type { AbandonedHold } from '../../groups/crash-settlement.ts'
import type { Abandoned } from '../../groups/operations.ts'
import { fromDbHoldMark } from '../../sql/hold-mark.ts'
import { fromDbAmount, type RawInteger } from '../../sql/mapping.ts'
import { fromDbPriceList } from '../../sql/price-list.ts'
import { decodeHoldFacts } from '../../sql/texts/hold-facts.ts'
import type { PostgresPool } from '../postgres-pool.ts'

interface FoundHold {
  readonly hold: AbandonedHold
  /** Those that were frozen at admission; null when they are not known. */
  readonly prices: PriceList | null
}

/** The oldest holds that nobody is going to settle. */
export async function findAbandoned(
  pool: PostgresPool,
  abandoned: Abandoned,
  limit: number,
): Promise<readonly FoundHold[]> {
  const { condition, value } = conditionOf(abandoned)
  const rows = await pool.query<HoldRow>(
    `select id, amount_nano, facts, mark_charge_nano, mark_prompt_tokens, mark_completion_tokens, mark_searches, mark_pages,
        price_lists.*
      from (select * from holds where ${condition} order by seq limit $2) abandoned
      left join price_lists on version = facts::json ->> 5
      order by seq`,
    [value, limit],
  )
  return rows.map(row => ({ hold: fromDbHold(row), prices: hasPrices(row) ? fromDbPriceList(row) : null }))
}

function conditionOf(abandoned: Abandoned): {
  readonly condition: string
  readonly value: string | number | readonly string[]
} {
  switch (abandoned.kind) {
    case 'foreign':
      return { condition: 'process_id <> $1', value: abandoned.processId }
    case 'process':
      return { condition: 'process_id = $1', value: abandoned.processId }
    case 'listed':
      return { condition: 'id = any ($1)', value: abandoned.holdIds }
    case 'overdue':
      return { condition: 'deadline_at_ms < $1', value: abandoned.deadlineBeforeMs }
  }
}

type PriceRow = Parameters<typeof fromDbPriceList>[0]

type MarkRow = Parameters<typeof fromDbHoldMark>[0]

type HoldRow = {
  readonly id: string
  readonly amount_nano: RawInteger
  readonly facts: string
} & MarkRow &
  (PriceRow | { readonly version: null })

function hasPrices(row: HoldRow): row is HoldRow & PriceRow {
  return row.version !== null
}

function fromDbHold(row: HoldRow): AbandonedHold {
  return {
    ...decodeHoldFacts(row.facts),
    id: row.id,
    amountNano: fromDbAmount(row.amount_nano),
    mark: fromDbHoldMark(row),
  }
}
