import type { Amount } from '../../../core/money.ts'
import type { ChargeKind } from '../../../core/price.ts'
import { uuidOfKey } from '../uuid.ts'
import { type ExactObject, exactJson } from './exact-json.ts'

const dayMs = 86_400_000

/** What requests of a group cost together, and how many tokens they had. */
interface UsageTotals {
  readonly costNano: Amount
  /** The part that was paid in DIEM; the rest counts as dollars. */
  readonly diemNano: Amount
  readonly tokens: number
}

export interface DayTotals {
  /** UTC days since 1970. */
  readonly day: number
  readonly costNano: Amount
  readonly diemNano: Amount
}

/** What was sold of one kind. */
interface KindUsage {
  readonly kind: ChargeKind
  readonly units: number
  readonly costNano: Amount
  readonly diemNano: Amount
}

interface ModelUsage extends UsageTotals {
  readonly name: string
  /** Null for a model that is no longer offered. */
  readonly type: 'text' | 'embedding' | null
  readonly kinds: readonly KindUsage[]
}

interface KeyUsage extends UsageTotals {
  /** Null for what was used without a key. */
  readonly id: string | null
  readonly description: string
}

/** One of the most used models or keys, day by day. */
interface DailyUsage {
  readonly name: string
  readonly days: readonly DayTotals[]
}

export interface AnalyticsFacts {
  readonly range: { readonly fromDay: number; readonly toDay: number; readonly name: string }
  readonly days: readonly DayTotals[]
  /** The dearest first. */
  readonly models: readonly ModelUsage[]
  readonly keys: readonly KeyUsage[]
  readonly topModels: readonly DailyUsage[]
  readonly topKeys: readonly DailyUsage[]
}

/** `GET /billing/usage-analytics` (venice.md §14). Days are all there, the newest first; charts run forward. */
export function encodeAnalytics(facts: AnalyticsFacts): string {
  const { range, days, models, keys, topModels, topKeys } = facts
  const totals = new Map(days.map(day => [day.day, day]))
  const allDays = Array.from({ length: range.toDay - range.fromDay + 1 }, (_, index) => range.fromDay + index)
  return exactJson({
    lookback: range.name,
    byDate: allDays.toReversed().map(day => dateRow(day, totals.get(day))),
    byModel: models.map(encodeModel),
    byModelDaily: allDays.map(day => dailyRow(day, topModels)),
    topModels: namesOf(topModels),
    byKey: keys.map(encodeKey),
    byKeyDaily: allDays.map(day => dailyRow(day, topKeys)),
    topKeyNames: namesOf(topKeys),
  })
}

function dateRow(day: number, { costNano, diemNano } = { costNano: 0n, diemNano: 0n }): ExactObject {
  return { date: dateOf(day), USD: costNano - diemNano, DIEM: diemNano }
}

function encodeModel({ name, type, tokens, kinds, ...totals }: ModelUsage): ExactObject {
  const modelType = type === 'text' ? 'LLM' : (type?.toUpperCase() ?? null)
  const breakdown = isWhole(kinds, totals) ? { breakdown: kinds.map(encodeKind) } : {}
  return { modelName: name, unitType: 'tokens', modelType, ...paid(totals), totalUnits: tokens, ...breakdown }
}

/** Several kinds that add up to what was paid: requests from before kinds were counted leave a gap that says nothing. */
function isWhole(kinds: readonly KindUsage[], { costNano, diemNano }: Pick<UsageTotals, 'costNano' | 'diemNano'>) {
  const sum = (of: (kind: KindUsage) => Amount) => kinds.reduce((total, kind) => total + of(kind), 0n)
  return kinds.length > 1 && sum(kind => kind.costNano) === costNano && sum(kind => kind.diemNano) === diemNano
}

const kindNames: Readonly<Record<ChargeKind, string>> = {
  input: 'Input',
  cache_read: 'Cache Read',
  cache_write: 'Cache Write',
  output: 'Output',
  search: 'Web Search',
  document: 'Document',
  page: 'Web Scrape',
}

function encodeKind({ kind, units, costNano, diemNano }: KindUsage): ExactObject {
  return { type: kindNames[kind], usd: costNano - diemNano, diem: diemNano, units }
}

function encodeKey({ id, description, tokens, ...totals }: KeyUsage): ExactObject {
  const apiKeyId = id === null ? null : uuidOfKey(id)
  return { apiKeyId, description, ...paid(totals), totalUnits: tokens }
}

function paid({ costNano, diemNano }: Pick<UsageTotals, 'costNano' | 'diemNano'>): ExactObject {
  return { totalUsd: costNano - diemNano, totalDiem: diemNano }
}

/** What several of one name cost is one line of a chart. */
function dailyRow(day: number, usages: readonly DailyUsage[]): ExactObject {
  const costs = new Map<string, Amount>()
  for (const { name, days } of usages) {
    const cost = days.find(found => found.day === day)?.costNano ?? 0n
    costs.set(name, (costs.get(name) ?? 0n) + cost)
  }
  return { ...Object.fromEntries(costs), date: day * dayMs }
}

function namesOf(usages: readonly DailyUsage[]): readonly string[] {
  return [...new Set(usages.map(({ name }) => name))]
}

function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}
