import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { buildKey, buildRequest, buildSettlement } from '../test/conformance/builders.ts'
import { openLocation } from '../test/conformance/open-store.ts'

/** What one process does: keeps `requests` under way, each admitted and then settled, one after the other. */
export interface StoreLoad {
  readonly location: string
  readonly customers: readonly { readonly accountId: string; readonly keyId: string }[]
  readonly requests: number
  readonly warmUpMs: number
  readonly measureMs: number
}

export interface StoreLoadReport {
  readonly pairs: number
  readonly cpuMicroseconds: number
  readonly admit: Quantiles
  readonly settle: Quantiles
}

interface Quantiles {
  readonly p50: number
  readonly p99: number
}

const holdNano = 1_000_000n
const chargeNano = 400_000n

const load = JSON.parse(process.argv[2] ?? '') as StoreLoad
const storage = await openLocation(load.location, 'command')
const taken = { admit: [] as number[], settle: [] as number[] }
let measuring = false
let running = true
let pairs = 0

async function timed<T>(name: keyof typeof taken, run: () => Promise<T>): Promise<T> {
  const startMs = performance.now()
  const value = await run()
  if (measuring) taken[name].push(performance.now() - startMs)
  return value
}

async function keepOneRunning(first: number): Promise<void> {
  for (let count = first; running; count++) {
    const customer = load.customers[count % load.customers.length]
    if (customer === undefined) throw new Error('there are no customers')
    const key = buildKey(customer.accountId, { id: customer.keyId })
    const nowMs = Date.now()
    const request = buildRequest(key, { fixedNano: holdNano, nowMs, deadlineMs: nowMs + 600_000 })
    const decision = await timed('admit', () => storage.admission.admit(request))
    if (!decision.admitted) throw new Error(`refused: ${decision.reason}`)
    await timed('settle', () => storage.ledger.settle(buildSettlement(request, chargeNano)))
    if (measuring) pairs += 1
  }
}

function quantilesOf(values: number[]): Quantiles {
  const sorted = values.sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

const all = Promise.all(Array.from({ length: load.requests }, (_, index) => keepOneRunning(index)))
await pause(load.warmUpMs)
measuring = true
const before = process.cpuUsage()
await pause(load.measureMs)
measuring = false
const { user, system } = process.cpuUsage(before)
running = false
await all
await storage.close()
const report: StoreLoadReport = {
  pairs,
  cpuMicroseconds: user + system,
  admit: quantilesOf(taken.admit),
  settle: quantilesOf(taken.settle),
}
process.stdout.write(JSON.stringify(report))
