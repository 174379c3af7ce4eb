import type { AccountId, KeyId } from '../../core/ids.ts'
import { type AnalyticsFacts, type DayTotals, encodeAnalytics } from '../../dialects/venice/encode/encode-analytics.ts'
import type { UsageGrouping, UsageSummary, UsageSummaryQuery } from '../../domain/usage/types.ts'
import { createSingleFlight } from '../../lib/single-flight.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { nameKeys, nameModels } from './usage-names.ts'

/** Rows of a list; what follows is the cheapest. */
const rowsMax = 200
/** Lines that a chart has. */
const linesMax = 8
/** An answer is some hundred kilobytes at most. */
const answersMax = 200
const answerTtlMs = 600_000

type Range = AnalyticsFacts['range']
type Dependencies = Pick<ServerDependencies, 'usage' | 'identityStore' | 'catalog' | 'clock'>

/** What an account used on some days: computed once for all who ask for it within ten minutes (venice.md §14). */
export function createUsageAnalytics(
  dependencies: Dependencies,
): (accountId: AccountId, range: Range) => Promise<string> {
  const { clock } = dependencies
  const answers = createTtlCache<string, string>({ entriesMax: answersMax, ttlMs: answerTtlMs })
  const flights = createSingleFlight<string, string>({ flightsMax: answersMax })
  return async (accountId, range) => {
    const name = `${accountId} ${range.name} ${range.fromDay}`
    const known = answers.get(name, clock.monotonic())
    if (known !== undefined) return known
    return flights.run(name, async () => {
      const answer = encodeAnalytics(await gather(dependencies, accountId, range))
      answers.set(name, answer, clock.monotonic())
      return answer
    })
  }
}

async function gather(dependencies: Dependencies, accountId: AccountId, range: Range): Promise<AnalyticsFacts> {
  const { usage, identityStore, catalog } = dependencies
  const keyNames = nameKeys(await identityStore.listKeys(accountId))
  const modelNames = nameModels(catalog.list())
  const sum = async (by: UsageGrouping, filter: Partial<UsageSummaryQuery> = {}) => {
    const { fromDay, toDay } = range
    const everything = { accountId, keyId: null, model: null, outcome: null, fromDay, toDay, limit: rowsMax }
    return (await usage.summarise({ ...everything, ...filter, by: [by] })).groups
  }
  const [days, models, keys] = [await sum('day'), await sum('model'), await sum('key')]
  const sold = await usage.soldLines({ accountId, fromDay: range.fromDay, toDay: range.toDay })
  const dailyOf = async (name: string, filter: Partial<UsageSummaryQuery>) => ({
    name,
    days: (await sum('day', filter)).map(dayTotals),
  })
  return {
    range,
    days: days.map(dayTotals),
    models: models.map(group => ({
      ...modelNames.of(group.model),
      ...totalsOf(group),
      kinds: sold.filter(({ model }) => model === group.model),
    })),
    keys: keys.map(group => ({ id: group.keyId, description: keyNames.of(group.keyId), ...totalsOf(group) })),
    topModels: await inTurn(topOf(models), ({ model }) => dailyOf(modelNames.of(model).name, { model })),
    topKeys: await inTurn(topOf(keys.filter(hasKey)), ({ keyId }) => dailyOf(keyNames.of(keyId), { keyId })),
  }
}

function topOf<Group extends UsageSummary>(groups: readonly Group[]): readonly Group[] {
  return groups.slice(0, linesMax)
}

/** A filter without a key means every key, so that what was used without one cannot be asked for by day. */
function hasKey(group: UsageSummary): group is UsageSummary & { readonly keyId: KeyId } {
  return group.keyId !== null
}

function dayTotals({ day, costNano, diemNano }: UsageSummary): DayTotals {
  return { day: day ?? 0, costNano, diemNano }
}

function totalsOf({ costNano, diemNano, promptTokens, completionTokens }: UsageSummary) {
  return { costNano, diemNano, tokens: promptTokens + completionTokens }
}

/** One after the other: a report is nothing that requests should wait for. */
async function inTurn<From, To>(items: readonly From[], run: (item: From) => Promise<To>): Promise<readonly To[]> {
  const results: To[] = []
  for (const item of items) results.push(await run(item))
  return results
}
