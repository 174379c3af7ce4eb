import { expect, test } from 'vitest'
import { FakeTime, settle } from '../../../test/support/fake-time.ts'
import { MemoryLogger } from '../../../test/support/memory-logger.ts'
import { createSearch, type SearchSetup } from './search.ts'
import type { ProviderAnswer, SearchProvider } from './search-provider.ts'
import type { SearchWishes } from './types.ts'

const never = new AbortController().signal
const basic = { accountId: 'acc_1', limit: 6, language: null, freshness: null, provider: null }

/** A provider whose answers wait until they are given. */
function slowProvider(name = 'slow') {
  const calls: { query: string; wishes: SearchWishes; signal: AbortSignal; give: (answer: ProviderAnswer) => void }[] =
    []
  const provider: SearchProvider = {
    name,
    search: (query, wishes, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        calls.push({ query, wishes, signal, give: resolve })
      }),
    isReady: async () => true,
    close: async () => undefined,
  }
  return { provider, calls }
}

const page = (title: string) => ({ results: [{ title, url: 'https://h/', content: 'x', date: null }] })

function setUp(more: Partial<SearchSetup> = {}) {
  const time = new FakeTime()
  const slow = slowProvider()
  const from: string[] = []
  const setup: SearchSetup = {
    order: [slow.provider],
    providers: [slow.provider],
    times: { providerMs: 60_000, totalMs: 60_000 },
    reuseMs: 300_000,
    isShared: false,
    ...more,
  }
  const observer = { asked: () => undefined, looked: (where: string) => void from.push(where) }
  const search = createSearch(setup, { clock: time.clock, logger: new MemoryLogger(), observer })
  return { search, setup, calls: slow.calls, time, from }
}

test('a stampede of equal queries is one call, and whoever leaves does not end it for the others', async () => {
  const { search, calls, from } = setUp()
  const leaving = new AbortController()
  const first = search.search({ ...basic, query: 'rust 2024' }, leaving.signal)
  const rest = Array.from({ length: 20 }, () =>
    search.search({ ...basic, query: ' rust  2024 ' }, new AbortController().signal),
  )
  leaving.abort(new Error('left'))
  await expect(first).rejects.toThrow('left')
  expect(calls).toHaveLength(1)
  expect(calls[0]?.signal.aborted).toBe(false)
  calls[0]?.give(page('one'))
  for (const outcome of await Promise.all(rest)) expect(outcome).toMatchObject({ results: [{ title: 'one' }] })
  expect(from).toEqual(['providers', ...Array.from({ length: 20 }, () => 'running')])
})

test('a search that nobody waits for any more is ended, and the next one begins anew', async () => {
  const { search, calls } = setUp()
  const leaving = new AbortController()
  const only = search.search({ ...basic, query: 'q' }, leaving.signal)
  leaving.abort(new Error('left'))
  await expect(only).rejects.toThrow('left')
  expect(calls[0]?.signal.aborted).toBe(true)
  const next = search.search({ ...basic, query: 'q' }, never)
  calls[1]?.give(page('two'))
  expect(await next).toMatchObject({ results: [{ title: 'two' }] })
})

test('results are reused for their time, by the account that found them alone', async () => {
  const { search, calls, time } = setUp()
  const ask = async (accountId: string, title: string) => {
    const outcome = search.search({ ...basic, accountId, query: 'q' }, never)
    const before = calls.length
    calls[before - 1]?.give(page(title))
    await settle()
    return outcome
  }
  expect(await ask('acc_1', 'a')).toMatchObject({ results: [{ title: 'a' }] })
  expect(await ask('acc_1', 'b')).toMatchObject({ results: [{ title: 'a' }] })
  expect(await ask('acc_2', 'c')).toMatchObject({ results: [{ title: 'c' }] })
  expect(calls).toHaveLength(2)
  await time.advance(300_001)
  expect(await ask('acc_1', 'd')).toMatchObject({ results: [{ title: 'd' }] })
})

test('accounts share what was found where the operator shares it', async () => {
  const { search, calls } = setUp({ isShared: true })
  const first = search.search({ ...basic, query: 'q' }, never)
  calls[0]?.give(page('a'))
  await first
  expect(await search.search({ ...basic, accountId: 'acc_2', query: 'q' }, never)).toMatchObject({
    results: [{ title: 'a' }],
  })
  expect(calls).toHaveLength(1)
})

test('what was not found is not kept, and a new configuration forgets what was', async () => {
  const { search, setup, calls } = setUp()
  const empty = search.search({ ...basic, query: 'q' }, never)
  calls[0]?.give({ failure: 'empty', retryAfterMs: null })
  expect(await empty).toMatchObject({ reason: 'empty' })
  const found = search.search({ ...basic, query: 'q' }, never)
  calls[1]?.give(page('a'))
  await found
  search.replace({ ...setup })
  const again = search.search({ ...basic, query: 'q' }, never)
  calls[2]?.give(page('b'))
  expect(await again).toMatchObject({ results: [{ title: 'b' }] })
})

test('with no time to reuse, equal searches that run at a time are still one', async () => {
  const { search, calls } = setUp({ reuseMs: 0 })
  const both = [search.search({ ...basic, query: 'q' }, never), search.search({ ...basic, query: 'q' }, never)]
  calls[0]?.give(page('a'))
  await Promise.all(both)
  void search.search({ ...basic, query: 'q' }, never)
  expect(calls).toHaveLength(2)
})

test('a provider asked for by name comes first where it is configured, and queries and limits are kept in bounds', async () => {
  const named = slowProvider('brave')
  const { search, setup, calls } = setUp()
  search.replace({ ...setup, providers: [...setup.providers, named.provider] })
  const long = 'word '.repeat(200)
  const answer = search.search({ ...basic, query: long, provider: 'brave', limit: 99 }, never)
  expect(named.calls[0]?.query).toHaveLength(400)
  expect(named.calls[0]?.wishes.limit).toBe(20)
  named.calls[0]?.give({ failure: 'down', retryAfterMs: null })
  await settle()
  calls[0]?.give(page('instead'))
  expect(await answer).toMatchObject({ provider: 'slow' })
  void search.search({ ...basic, query: 'other', provider: 'unknown' }, never)
  expect(calls).toHaveLength(2)
})

test('a search is configured when somebody could find something', async () => {
  const { search, setup } = setUp()
  expect(await search.isConfigured()).toBe(true)
  const emptyIndex = { ...slowProvider('embedded').provider, isReady: async () => false }
  search.replace({ ...setup, order: [emptyIndex] })
  expect(await search.isConfigured()).toBe(false)
  search.replace({ ...setup, order: [] })
  expect(await search.isConfigured()).toBe(false)
})
