import { z } from 'zod'
import type { GatewayError } from '../../../core/gateway-error.ts'
import { checkFields } from './check-fields.ts'
import { custom } from './issues/issue-wording.ts'
import { Problems } from './issues/problems.ts'
import { queryText } from './query-fields.ts'

const daysMax = 90
const daysUsual = 7
const dayMs = 86_400_000

/** UTC days since 1970, both included, and how the answer names them. */
export interface AnalyticsRange {
  readonly fromDay: number
  readonly toDay: number
  readonly name: string
}

const date = queryText(10)
  .refine(text => text === undefined || dayOf(text) !== null, 'Expected a date (YYYY-MM-DD)')
  .transform(text => (text === undefined ? null : dayOf(text)))

export const analyticsQuery = z.object({
  lookback: queryText(4).refine(
    text => text === undefined || isLookback(text),
    `Expected a number of days from 1 to ${daysMax} followed by "d"`,
  ),
  startDate: date,
  endDate: date,
})

/** The query of `GET /billing/usage-analytics` (venice.md §14). Dates win. @throws GatewayError invalid_parameters */
export function decodeAnalyticsQuery(query: unknown, nowMs: number): AnalyticsRange {
  const { lookback = `${daysUsual}d`, startDate, endDate } = checkFields(analyticsQuery, query)
  if (startDate !== null && endDate !== null) return betweenDates(startDate, endDate)
  if (startDate !== null) throw problem('endDate', 'endDate is needed beside startDate')
  if (endDate !== null) throw problem('startDate', 'startDate is needed beside endDate')
  const toDay = Math.floor(nowMs / dayMs)
  return { fromDay: toDay - Number.parseInt(lookback, 10) + 1, toDay, name: lookback }
}

function betweenDates(fromDay: number, toDay: number): AnalyticsRange {
  if (toDay < fromDay) throw problem('endDate', 'endDate must not be before startDate')
  if (toDay - fromDay >= daysMax) throw problem('endDate', `At most ${daysMax} days can be asked for at a time`)
  return { fromDay, toDay, name: `${dateOf(fromDay)}:${dateOf(toDay)}` }
}

function isLookback(text: string): boolean {
  return /^[1-9]\d?d$/.test(text) && Number.parseInt(text, 10) <= daysMax
}

/** Null for what is no date, and for days that no month has. */
function dayOf(text: string): number | null {
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) || dateOf(atMs / dayMs) !== text ? null : atMs / dayMs
}

function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

function problem(field: string, message: string): GatewayError {
  const problems = new Problems()
  problems.add([field], custom(message))
  return problems.toError()
}
