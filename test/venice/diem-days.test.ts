import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cryptoRandom } from '../../src/adapters/system/crypto-random.ts'
import { systemTimers } from '../../src/adapters/system/system-timers.ts'
import { type Gateway, startGateway } from '../../src/app/start-gateway.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { atEnd } from '../support/at-end.ts'
import { type InstallationStore, openInstallationStore } from '../support/gateway/installation-store.ts'
import { answer, type MockEngine, startMockEngine } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'

/** A gateway in this process, so that its days can be made to end (money.md §4, venice.md §5.3). */

const midnightMs = Date.UTC(2030, 5, 2)
const secret = 'a secret of thirty-two characters'
/** Sixteen tokens of prompt and six of output. */
const price = { diem: 0.000034, usd: 0 }

let nowMs = midnightMs - 60_000
let engine: MockEngine
let gateway: Gateway
let store: InstallationStore
let key: string

beforeAll(async () => {
  engine = await startMockEngine()
  const folder = mkdtempSync(join(tmpdir(), 'rialto-test-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const config = loadConfig(
    JSON.stringify({
      server: { port: 0 },
      store: `sqlite:${join(folder, 'rialto.db')}`,
      startingCreditUsd: 0,
      engines: [{ id: 'main', baseUrl: engine.url }],
      models: [
        {
          id: 'demo/one',
          served: [{ engine: 'main', model: 'm' }],
          contextTokens: 1_000,
          maxOutputTokens: 100,
          pricing: { inputUsdPerMTok: 1, outputUsdPerMTok: 3 },
        },
      ],
    }),
    { fileName: 'f', lookup: () => undefined, folder, dataFolder: folder, adminToken: null, createdSeconds: 0 },
  )
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
  gateway = await startGateway(
    { config, file: null, load: () => config },
    {
      clock: { now: () => nowMs, monotonic: () => performance.now() },
      ...{
        random: cryptoRandom,
        timers: systemTimers,
        logger: silent,
        secret: Buffer.from(secret),
        dataFolder: folder,
      },
      ...{ traceEndpoint: null, userAgent: 'test' },
      onFatal(error) {
        throw error
      },
    },
  )
  store = await openInstallationStore(join(folder, 'rialto.db'), secret)
  await store.openAccount({ name: 'acme', credit: 1, mode: 'strict' })
  await store.allow('acme', '1')
  key = (
    await store.issueKey('acme', { type: 'admin', requestsPerDay: 3, period: 'epoch', limitDiemNano: 900_000_000n })
  ).key
})

afterAll(async () => {
  await store.close()
  await gateway.close()
  await engine.close()
})

async function ask<Body>(path: string, body?: object): Promise<{ readonly status: number; readonly body: Body }> {
  const response = await fetch(`http://127.0.0.1:${gateway.address.port}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Body }
}

interface History {
  readonly data: readonly { readonly amount: number }[]
}

interface Keys {
  readonly data: readonly { readonly currentPeriodUsage: object }[]
}

const chat = () =>
  ask<{ readonly cost?: object; readonly message?: string }>('/chat/completions', {
    model: 'demo/one',
    messages: [{ role: 'user', content: 'Hi' }],
    max_tokens: 9,
  })
const diemLeft = async () =>
  (await ask<{ readonly balances: { readonly diem: number } }>('/billing/balance')).body.balances.diem

it('a day of the allowance ends at 00:00 UTC: what was admitted before it is paid by the old one', async () => {
  expect((await chat()).body.cost).toEqual(price)
  expect(await diemLeft()).toBe(1 - price.diem)
  // Admitted a minute before midnight, answered and settled a minute after it.
  engine.next(answer({ everyMs: 20 }))
  const overnight = chat()
  await waitFor('the request to be admitted', () => engine.requests.length === 2)
  nowMs = midnightMs + 60_000
  expect((await overnight).body.cost).toEqual(price)
  expect(await diemLeft()).toBe(1)
  const { body } = await ask<History>('/billing/usage-history?currency=DIEM&startTimestamp=2030-06-01T00:00:00Z')
  expect(body.data.reduce((sum, row) => sum + row.amount, 0)).toBeCloseTo(-2 * price.diem, 12)
})

it('the new day has its allowance, its limits and its requests', async () => {
  expect((await ask<{ readonly data: object }>('/api_keys/rate_limits')).body.data).toMatchObject({
    balances: { DIEM: 1 },
    nextEpochBegins: '2030-06-03T00:00:00.000Z',
  })
  const [row] = (await ask<Keys>('/api_keys')).body.data
  expect(row?.currentPeriodUsage).toEqual({ usd: 0, diem: price.diem })
  for (const status of [200, 200, 200, 429]) expect((await chat()).status).toBe(status)
  expect((await chat()).body.message).toContain('at most 3 per day. The next day begins in 1439 minutes')
  expect(await diemLeft()).toBe(1 - 3 * price.diem)
  nowMs = midnightMs + 86_400_000
  expect(await diemLeft()).toBe(1)
  expect((await chat()).body.cost).toEqual(price)
})

it('leaves books that agree', async () => {
  expect((await store.verify()).problems).toEqual([])
})
