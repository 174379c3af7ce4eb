import { expect, test } from 'vitest'
import { FakeTime } from '../../../test/support/fake-time.ts'
import { MemoryLogger } from '../../../test/support/memory-logger.ts'
import { createAskProviders, type SearchTimes } from './ask-providers.ts'
import type { ProviderAnswer, SearchProvider } from './search-provider.ts'
import type { SearchFailureKind } from './types.ts'

const wishes = { limit: 3, language: null, freshness: null }
const times: SearchTimes = { providerMs: 2_000, totalMs: 5_000 }
const never = new AbortController().signal

function found(count: number): ProviderAnswer {
  const results = Array.from({ length: count }, (_, at) => ({
    title: `Page ${at}`,
    url: `https://h/${at}`,
    content: '',
    date: null,
  }))
  return { results }
}

const failing = (failure: SearchFailureKind, retryAfterMs: number | null = null): ProviderAnswer => ({
  failure,
  retryAfterMs,
})

/** Answers as told, the last answer again and again, and counts how often it was asked. */
function provider(name: string, ...answers: ProviderAnswer[]): SearchProvider & { asked: number } {
  const self = {
    name,
    asked: 0,
    async search() {
      const answer = answers[Math.min(self.asked, answers.length - 1)]
      self.asked += 1
      if (answer === undefined) throw new Error('nothing to answer')
      return answer
    },
    isReady: async () => true,
    close: async () => undefined,
  }
  return self
}

function setUp() {
  const time = new FakeTime()
  const logger = new MemoryLogger()
  const asked: string[] = []
  const observer = {
    asked: (name: string, outcome: string) => void asked.push(`${name} ${outcome}`),
    looked: () => undefined,
  }
  const ask = createAskProviders({ clock: time.clock, logger, observer })
  const search = (providers: readonly SearchProvider[], signal = never) =>
    ask({ query: 'q', wishes, times }, providers, signal)
  return { time, logger, asked, search }
}

test.each(['down', 'rate_limited', 'empty', 'unauthorised', 'garbage', 'timeout'] as const)(
  'the next provider answers when one is "%s"',
  async kind => {
    const { search, asked } = setUp()
    expect(await search([provider('first', failing(kind)), provider('second', found(2))])).toMatchObject({
      provider: 'second',
      results: [{ title: 'Page 0' }, { title: 'Page 1' }],
    })
    expect(asked).toEqual([`first ${kind}`, 'second found'])
  },
)

test('no more results than were asked for are given, in their order', async () => {
  const { search } = setUp()
  const outcome = await search([provider('generous', found(9))])
  expect('results' in outcome && outcome.results.map(({ url }) => url)).toEqual([
    'https://h/0',
    'https://h/1',
    'https://h/2',
  ])
})

test('nothing found by somebody who looked is told from nobody who could look, and from too little time', async () => {
  const { search } = setUp()
  expect(await search([provider('a', failing('down')), provider('b', failing('empty'))])).toEqual({
    reason: 'empty',
    failures: [
      { provider: 'a', kind: 'down' },
      { provider: 'b', kind: 'empty' },
    ],
  })
  expect(await search([provider('a', failing('garbage'))])).toMatchObject({ reason: 'unavailable' })
  expect(await search([provider('a', failing('down')), provider('b', failing('timeout'))])).toMatchObject({
    reason: 'timeout',
  })
  expect(await search([])).toEqual({ reason: 'unavailable', failures: [] })
})

test('a provider that failed three times in a row is left alone, and tried by one search after its rest', async () => {
  const { search, time, logger } = setUp()
  const dead = provider('dead', failing('down'), failing('down'), failing('down'), found(1))
  const backup = provider('backup', found(1))
  for (let at = 0; at < 5; at++) await search([dead, backup])
  expect(dead.asked).toBe(3)
  await time.advance(15_001)
  const [first, second] = await Promise.all([search([dead, backup]), search([dead, backup])])
  expect([first, second]).toMatchObject([{ provider: 'dead' }, { provider: 'backup' }])
  expect(await search([dead, backup])).toMatchObject({ provider: 'dead' })
  expect(logger.events()).toContain('search.provider_resumed')
})

test('finding nothing is no failure of a provider', async () => {
  const { search } = setUp()
  const honest = provider('honest', failing('empty'))
  for (let at = 0; at < 10; at++) await search([honest])
  expect(honest.asked).toBe(10)
})

test('a provider that asks for patience gets it, and a key that is not taken is not sent again and again', async () => {
  const { search, time, logger } = setUp()
  const busy = provider('busy', failing('rate_limited', 30_000), found(1))
  const locked = provider('locked', failing('unauthorised'))
  for (let at = 0; at < 3; at++) await search([busy, locked])
  expect([busy.asked, locked.asked]).toEqual([1, 1])
  expect(logger.events('error')).toEqual(['search.provider_misconfigured'])
  await time.advance(29_000)
  expect(await search([busy])).toMatchObject({ failures: [{ kind: 'suspended' }] })
  await time.advance(1_001)
  expect(await search([busy])).toMatchObject({ provider: 'busy' })
})

test('a provider that is silent costs its own time, and the caller who leaves is told at once', async () => {
  const { search } = setUp()
  const silent = provider('silent')
  silent.search = (_query?: unknown, _wishes?: unknown, signal?: AbortSignal) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  const leaving = new AbortController()
  const waiting = search([silent], leaving.signal)
  leaving.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  const started = performance.now()
  expect(await search([silent, provider('quick', found(1))])).toMatchObject({ provider: 'quick' })
  expect(performance.now() - started).toBeGreaterThan(1_900)
})
