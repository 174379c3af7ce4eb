import type { UsageQuery, UsageSummaryQuery } from '../../src/domain/usage/types.ts'
import type { UsageStore } from '../../src/domain/usage/usage-store.ts'
import type { Extent } from './generate-rows.ts'

/** A question as a billing page or a dashboard asks it, with other owners and times from run to run. */
export interface QueryKind {
  readonly name: string
  /** What the run needs to know, such as a cursor, is found out before; asking returns how many rows were shown. */
  prepare(store: UsageStore, run: number): Promise<() => Promise<number>>
}

const dayMs = 86_400_000
const billingPage = 1_000
const listPage = 100

/** What a store of this extent is asked; owners with many and with few requests take turns. */
export function queryKinds(extent: Extent): readonly QueryKind[] {
  return [...pages(extent), ...farPages(extent), ...summaries(extent)]
}

const id = (prefix: string, no: number) => `${prefix}_${no.toString(16).padStart(24, '0')}`

/** From the largest to the smallest, as generate-rows.ts spreads requests over numbers. */
function spread(run: number, count: number): number {
  return 1 + Math.floor(count * ((run % 10) / 10) ** 3)
}

/** A key with its account, and a model that it asks for (see generate-rows.ts). */
function owners({ accounts, keys, models }: Extent) {
  return {
    account: (run: number) => ({ accountId: id('acc', 1 + ((spread(run, keys) - 1) % accounts)) }),
    key: (run: number) => ({ keyId: id('key', spread(run, keys)) }),
    model: (run: number) => ({ model: `vendor/model-${(spread(run, keys) * 7) % models}` }),
  }
}

const anyone = { accountId: null, keyId: null, model: null, outcome: null }
const anything = { ...anyone, status: null, fromMs: null, toMs: null, cursor: null }

function page(name: string, limit: number, change: (run: number) => Partial<UsageQuery>): QueryKind {
  return {
    name,
    prepare: async (store, run) => async () =>
      (await store.list({ ...anything, limit, ...change(run) })).records.length,
  }
}

function pages(extent: Extent): readonly QueryKind[] {
  const { account, key, model } = owners(extent)
  const hour = (run: number) => {
    const fromMs = (extent.lastDay - (run % extent.days)) * dayMs + (run % 24) * 3_600_000
    return { fromMs, toMs: fromMs + 3_600_000 }
  }
  const month = { fromMs: (extent.lastDay - 30) * dayMs, toMs: extent.lastDay * dayMs }
  return [
    page('page: newest of all', listPage, () => ({})),
    page('page: account', billingPage, account),
    page('page: account, a month', billingPage, run => ({ ...account(run), ...month })),
    page('page: key', billingPage, key),
    page('page: model', listPage, model),
    page('page: account and model', listPage, run => ({ ...account(run), ...model(run) })),
    page('page: rare outcome', listPage, run => ({ outcome: run % 2 === 0 ? 'deadline' : 'drained' })),
    page('page: failures of an account', listPage, run => ({ ...account(run), outcome: 'upstream_fail' })),
    page('page: status 502', listPage, () => ({ status: 502 })),
    page('page: an hour of all', listPage, hour),
    page('page: an hour of an account', listPage, run => ({ ...account(run), ...hour(run) })),
  ]
}

/** Pages in the middle and at the end of what there is: by the cursor that an older page gives out. */
function farPages(extent: Extent): readonly QueryKind[] {
  const { account, key, model } = owners(extent)
  const far = (name: string, limit: number, change: (run: number) => Partial<UsageQuery>): QueryKind => ({
    name: `far page: ${name}`,
    async prepare(store, run) {
      const toMs = (extent.lastDay - extent.days * (run % 2 === 0 ? 0.5 : 0.9)) * dayMs
      const question = { ...anything, ...change(run), limit }
      const { nextCursor } = await store.list({ ...question, limit: 1, toMs: Math.floor(toMs) })
      return async () => (await store.list({ ...question, cursor: nextCursor })).records.length
    },
  })
  return [
    far('all', listPage, () => ({})),
    far('account', billingPage, account),
    far('key', billingPage, key),
    far('model', listPage, model),
    far('rare outcome', listPage, () => ({ outcome: 'deadline' })),
  ]
}

function summaries(extent: Extent): readonly QueryKind[] {
  const { account, key, model } = owners(extent)
  const summary = (
    by: UsageSummaryQuery['by'],
    days: number,
    [whose, filter]: readonly [name: string, filter: (run: number) => Partial<UsageSummaryQuery>],
  ): QueryKind => ({
    name: `sums: ${by.join(' and ')}, ${days} days${whose}`,
    async prepare(store, run) {
      const range = { fromDay: extent.lastDay - days + 1, toDay: extent.lastDay }
      const question = { ...anyone, ...range, by, limit: 1_000, ...filter(run) }
      return async () => (await store.summarise(question)).groups.length
    },
  })
  const all = ['', () => ({})] as const
  const ofAccount = [', an account', account] as const
  const most = Math.min(extent.days, 90)
  return [
    summary(['day', 'model'], 30, all),
    ...(['day', 'model', 'key', 'account'] as const).map(by => summary([by], most, all)),
    // Over all accounts it adds up both tables of sums: docs/usage-queries.md says what a quarter of a year costs.
    summary(['model'], 30, [', those that were done', () => ({ outcome: 'done' })]),
    summary(['day'], most, [', failures', () => ({ outcome: 'upstream_fail' })]),
    ...(['day', 'model', 'key'] as const).map(by => summary([by], most, ofAccount)),
    summary(['day', 'model'], most, ofAccount),
    summary(['day', 'key'], most, ofAccount),
    summary(['day'], most, [', a key', key]),
    summary(['day'], most, [', a model', model]),
  ]
}
