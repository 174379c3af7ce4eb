import { z } from 'zod'
import { GatewayError } from '../../../core/gateway-error.ts'
import { type CursorKey, decodeCursor } from '../history-cursor.ts'
import { currencies, type HistoryWalk } from '../history-walk.ts'
import { checkFields } from './check-fields.ts'
import { custom } from './issues/issue-wording.ts'
import { Problems } from './issues/problems.ts'
import { queryNumber, queryText, queryWord } from './query-fields.ts'

const pageMin = 10
const pageMax = 1_000
const cursorCharactersMax = 512
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/

const timestamp = queryText(40)
  .refine(
    text => text === undefined || (time.test(text) && !Number.isNaN(Date.parse(text))),
    'Expected an ISO 8601 time in UTC that ends in Z',
  )
  .transform(text => (text === undefined ? null : Date.parse(text)))

export const historyQuery = z.object({
  cursor: queryText(cursorCharactersMax),
  startTimestamp: timestamp,
  endTimestamp: timestamp,
  currency: queryWord(currencies),
  pageSize: queryNumber(pageMin, pageMax),
})

/**
 * The query of `GET /billing/usage-history`: a new walk, or the next page of one (venice.md §14).
 * @throws GatewayError invalid_parameters; bad_request for a cursor that was not given to this account
 */
export function decodeHistoryQuery(
  query: unknown,
  { nowMs, ...key }: CursorKey & { readonly nowMs: number },
): HistoryWalk {
  const fields = checkFields(historyQuery, query)
  if (fields.cursor !== undefined) {
    refuseFilters(query)
    const walk = decodeCursor(fields.cursor, key)
    if (walk !== null) return walk
    throw new GatewayError('bad_request', 'This cursor is not one that was given out: begin again without it.')
  }
  const { startTimestamp: fromMs, endTimestamp: endMs } = fields
  if (fromMs !== null && endMs !== null && endMs <= fromMs)
    throw problem('endTimestamp', 'endTimestamp must be later than startTimestamp')
  return {
    fromMs: fromMs ?? 0,
    // What is charged from now on belongs to a later walk, so that no page of this one moves.
    toMs: Math.min(endMs ?? nowMs + 1, nowMs + 1),
    currency: fields.currency ?? null,
    pageSize: fields.pageSize ?? pageMax,
    after: null,
  }
}

const filters = ['startTimestamp', 'endTimestamp', 'currency', 'pageSize']

/** They travel inside of the cursor, and others beside it would be ignored without a word. */
function refuseFilters(query: unknown): void {
  const given = filters.find(name => Object.hasOwn(query as object, name))
  if (given !== undefined) throw problem(given, 'A cursor is sent alone: it carries the filters of its first page')
}

function problem(field: string, message: string): GatewayError {
  const problems = new Problems()
  problems.add([field], custom(message))
  return problems.toError()
}
