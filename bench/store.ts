import { parseArgs } from 'node:util'
import { buildGrant, usd } from '../test/conformance/builders.ts'
import { addCustomer, openLocation } from '../test/conformance/open-store.ts'
import { PostgresServer } from '../test/support/postgres/postgres-server.ts'
import { startChild, typescriptCommand } from './child-process.ts'
import type { StoreLoad, StoreLoadReport } from './store-process.ts'

/*
 * How many paid requests a store books in a second: each is admitted, then settled. It measures the store alone, without
 * a gateway around it. A store that is not named is a PostgreSQL of its own, on disk and as durable as in production.
 */

const usage = `Usage: npx tsx bench/store.ts [--store postgres://…|PATH] [--processes 4] [--accounts 1] [--requests 256] [--seconds 10]
  --requests: how many are under way at the same time, in all processes together`

const warmUpSeconds = 3

const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    processes: { type: 'string', default: '1' },
    accounts: { type: 'string', default: '1' },
    requests: { type: 'string', default: '256' },
    seconds: { type: 'string', default: '10' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(usage)
else if (values.store === undefined) await measureOwnServer()
else await measure(values.store)

async function measureOwnServer(): Promise<void> {
  const server = await PostgresServer.create({ shared_buffers: '256MB', max_wal_size: '4GB' })
  try {
    await measure((await server.createDatabase()).url)
  } finally {
    await server.remove()
  }
}

async function measure(location: string): Promise<void> {
  const storage = await openLocation(location, 'gateway')
  const customers = []
  for (let count = 0; count < Number(values.accounts); count++) {
    const { account, key } = await addCustomer(storage)
    await storage.ledger.post(buildGrant(account.id, 1_000_000n * usd))
    customers.push({ accountId: account.id, keyId: key.id })
  }
  const processes = Number(values.processes)
  const load: StoreLoad = {
    location,
    customers,
    requests: Math.ceil(Number(values.requests) / processes),
    warmUpMs: warmUpSeconds * 1_000,
    measureMs: Number(values.seconds) * 1_000,
  }
  const reports = await Promise.all(Array.from({ length: processes }, () => runLoad(load)))
  report(reports)
  const { ok, problems } = await storage.ledger.verify()
  console.log(ok ? 'books: agree' : problems.join('\n'))
  await storage.close()
}

async function runLoad(load: StoreLoad): Promise<StoreLoadReport> {
  const command = typescriptCommand(new URL('store-process.ts', import.meta.url), JSON.stringify(load))
  const child = startChild(command, { processor: null, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.process.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  if ((await child.ended) !== 0) throw new Error('a process of the load failed')
  return JSON.parse(output) as StoreLoadReport
}

function report(reports: readonly StoreLoadReport[]): void {
  const sum = (amountOf: (report: StoreLoadReport) => number) =>
    reports.reduce((total, one) => total + amountOf(one), 0)
  const pairs = sum(one => one.pairs)
  const seconds = Number(values.seconds)
  console.log(`paid requests/s: ${Math.round(pairs / seconds)}`)
  console.log(`Node CPU per paid request: ${Math.round(sum(one => one.cpuMicroseconds) / pairs)} µs`)
  for (const name of ['admit', 'settle'] as const) {
    const worst = (quantile: 'p50' | 'p99') => Math.max(...reports.map(one => one[name][quantile])).toFixed(1)
    console.log(`${name}: p50 ${worst('p50')} ms, p99 ${worst('p99')} ms`)
  }
}
