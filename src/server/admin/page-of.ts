import { GatewayError } from '../../core/gateway-error.ts'

const rowsMax = 1_000
const rowsUsual = 100

export interface PageOptions<Row> {
  /** The request's query: `limit` and `cursor` are understood. */
  readonly query: unknown
  readonly idOf: (row: Row) => string
}

export interface Page<Row> {
  readonly data: readonly Row[]
  /** What `cursor` takes to go on; null at the end. */
  readonly next_cursor: string | null
}

/**
 * A page of a list that is there as a whole (operator.md §4). The cursor is the id of the last row that was shown.
 * @throws GatewayError invalid_value
 */
export function pageOf<Row>(rows: readonly Row[], { query, idOf }: PageOptions<Row>): Page<Row> {
  const { limit, cursor } = query as Readonly<Record<string, unknown>>
  const start = cursor === undefined ? 0 : rows.findIndex(row => idOf(row) === cursor) + 1
  if (cursor !== undefined && start === 0) {
    throw new GatewayError('invalid_value', '`cursor` must be the `next_cursor` of a page before.', { param: 'cursor' })
  }
  const end = start + readLimit(limit)
  const data = rows.slice(start, end)
  const last = data.at(-1)
  return { data, next_cursor: end < rows.length && last !== undefined ? idOf(last) : null }
}

function readLimit(text: unknown): number {
  if (text === undefined) return rowsUsual
  const limit = typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= rowsMax) return limit
  throw new GatewayError('invalid_value', `\`limit\` must be a whole number from 1 to ${rowsMax}.`, { param: 'limit' })
}
