import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/system/system-clock.ts'
import { noFees } from '../../src/core/price.ts'
import type { AdmissionRequest } from '../../src/domain/admission/types.ts'
import type { ApiKey } from '../../src/domain/identity/types.ts'
import { buildRequest, buildSettlement, usd } from '../conformance/builders.ts'
import { addCustomer } from '../conformance/open-test-storage.ts'
import { atEnd } from '../support/at-end.ts'
import { findViolations, Gateway, nanoOf, priceOf } from '../support/gateway/index.ts'
import { eventsNamed } from '../support/gateway/log-lines.ts'
import { answer } from '../support/mock-engine/index.ts'
import { createDatabase, describePostgres, query, type TestDatabase } from '../support/postgres/index.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { makeJournalFolder, openReplicaStore, type ReplicaStore, shortLeaseMs } from './replica-store.ts'

let database: TestDatabase
let proxy: TcpProxy

async function cutOff(): Promise<void> {
  await proxy.refuse()
  proxy.cut()
}

describePostgres('the journal of a gateway that is cut off', () => {
  let folder: string
  let gone: ReplicaStore
  let other: ReplicaStore

  beforeAll(async () => {
    database = await createDatabase()
  })
  beforeEach(async () => {
    folder = makeJournalFolder()
    proxy = await startTcpProxy(database)
    gone = await openReplicaStore(proxy.through(database.url), { journalFolder: folder })
    other = await openReplicaStore(database.url)
    // Closing waits for what the store does not take.
    atEnd(() => proxy.heal())
  })

  const files = () => readdirSync(folder)
  const path = () => join(folder, files()[0] ?? '')
  const isWritten = () => files().length === 1 && statSync(path()).size > 0
  const successor = () => openReplicaStore(database.url, { journalFolder: folder })

  async function admit(): Promise<{ readonly key: ApiKey; readonly request: AdmissionRequest }> {
    const { key } = await addCustomer(other.storage, { balanceNano: 10n * usd })
    const nowMs = systemClock.now()
    const request = buildRequest(key, { processId: gone.processId, nowMs, deadlineMs: nowMs + 600_000 })
    expect(await gone.storage.admission.admit(request)).toMatchObject({ admitted: true })
    return { key, request }
  }

  /** Settles while nothing can be settled. Resolves when the journal has it, as it is left by a process that is killed. */
  async function settleInVain(...requests: readonly AdmissionRequest[]): Promise<void> {
    await cutOff()
    for (const request of requests) gone.storage.ledger.settle(buildSettlement(request, usd)).catch(() => undefined)
    await waitFor('the journal', isWritten)
  }

  const balanceOf = async ({ accountId }: ApiKey) => (await other.storage.ledger.balance(accountId)).balanceNano

  it('has what the store did not take within a second, for nobody else to read, and is gone when the store has it', async () => {
    const { key, request } = await admit()
    await cutOff()
    const settled = gone.storage.ledger.settle(buildSettlement(request, usd))
    await sleep(500)
    expect(files()).toEqual([])
    await waitFor('the journal', isWritten)
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(readFileSync(path(), 'utf8')).toContain(request.holdId)
    await proxy.heal()
    await settled
    await waitFor('it to be gone', () => files().length === 0)
    expect(await balanceOf(key)).toBe(9n * usd)
  })

  it('is booked by the next process on the data folder, in full, and once', async () => {
    const { key, request } = await admit()
    await settleInVain(request)
    const copy = join(makeJournalFolder(), 'copy')
    copyFileSync(path(), copy)
    const name = path()
    const next = await successor()
    await next.recover()
    expect(next.logger.lines).toContainEqual(
      expect.objectContaining({ event: 'journal.replayed', fields: { settled: 1, adjusted: 0, already: 0 } }),
    )
    expect(await balanceOf(key)).toBe(9n * usd)
    copyFileSync(copy, name)
    await (await successor()).recover()
    expect(files()).toEqual([])
    expect(await balanceOf(key)).toBe(9n * usd)
    expect(await other.storage.ledger.verify()).toMatchObject({ ok: true, problems: [] })
  })

  it('corrects what others resolved at the last mark meanwhile', async () => {
    const [marked, unmarked] = [await admit(), await admit()]
    const mark = { chargeNano: usd / 4n, promptTokens: 10, completionTokens: 5, fees: noFees, atMs: systemClock.now() }
    await gone.storage.ledger.mark({ holdId: marked.request.holdId, ...mark })
    await settleInVain(marked.request, unmarked.request)
    await sleep(2 * shortLeaseMs)
    await other.recover()
    expect([await balanceOf(marked.key), await balanceOf(unmarked.key)]).toEqual([10n * usd - usd / 4n, 10n * usd])
    const next = await successor()
    await next.recover()
    expect([await balanceOf(marked.key), await balanceOf(unmarked.key)]).toEqual([9n * usd, 9n * usd])
    expect(files()).toEqual([])
    expect(await other.storage.ledger.verify()).toMatchObject({ ok: true, problems: [] })
  })

  it('is left to its owner while that one lives', async () => {
    const { key, request } = await admit()
    await settleInVain(request)
    await query(database.url, 'UPDATE gateways SET lease_until_ms = 9e15 WHERE process_id = $1', [gone.processId])
    await (await successor()).recover()
    expect(await balanceOf(key)).toBe(9n * usd)
    expect(files()).toHaveLength(1)
    await proxy.heal()
    await waitFor('its owner to remove it', () => files().length === 0)
  })

  it('keeps what cannot be booked for the operator', async () => {
    const { request } = await admit()
    await settleInVain(request)
    await sleep(2 * shortLeaseMs)
    const stranger = await openReplicaStore((await createDatabase()).url, { journalFolder: folder })
    await stranger.recover()
    expect(files()).toEqual([expect.stringMatching(/\.journal\.refused$/)])
    expect(stranger.logger.events('error')).toContain('journal.refused')
  })
})

describePostgres('a journal that cannot be read', () => {
  it('is told of once, and keeps nothing else from being recovered', async () => {
    const folder = makeJournalFolder()
    mkdirSync(join(folder, `settlements-proc_${'0'.repeat(24)}.journal`))
    const url = (await createDatabase()).url
    const [gone, next] = [await openReplicaStore(url), await openReplicaStore(url, { journalFolder: folder })]
    const { key } = await addCustomer(next.storage, { balanceNano: 10n * usd })
    const request = buildRequest(key, { processId: gone.processId })
    await gone.storage.admission.admit(request)
    await gone.close()
    for (let count = 0; count < 3; count += 1) await next.recover()
    expect((await next.storage.ledger.balance(key.accountId)).heldNano).toBe(0n)
    expect(next.logger.events('error')).toEqual(['journal.refused'])
  })
})

describePostgres('a gateway that ends while PostgreSQL is gone', () => {
  let gateway: Gateway
  const text = Array.from({ length: 40 }, (_, index) => ` word${index}`)
  const price = priceOf({ prompt: 16, completion: text.length })
  const ends: (readonly [string, () => Promise<unknown>])[] = [['killed', () => gateway.process.kill()]]
  // It waits for a while before it gives up.
  if (process.env['RIALTO_TEST_LONG'] === '1') ends.push(['stopped', () => gateway.process.stop()])

  beforeEach(async () => {
    database = await createDatabase()
    proxy = await startTcpProxy(database)
    gateway = await Gateway.start({ store: { url: database.url, gatewayUrl: proxy.through(database.url) } })
    gateway.engine().always(answer({ text, everyMs: 15 }))
    // A start that is not over yet would fail.
    await waitFor('the start', () => eventsNamed(gateway.process.output, 'gateway.ready').length > 0)
  })

  it.each(ends)('%s: its streams went on to their ends, and the next start books them in full', async (_, end) => {
    const reading = await gateway.client.openStream()
    await reading.receive(3)
    await cutOff()
    expect(await reading.ended, gateway.process.output.slice(-2_000)).toBe('complete')
    expect(reading.doneCount).toBe(1)
    expect(reading.text).not.toContain('"cost"')
    const folder = join(gateway.installation.folder, 'data', 'journal')
    const journal = await waitFor('the journal', () => {
      const [name] = readdirSync(folder)
      return name === undefined ? '' : readFileSync(join(folder, name), 'utf8')
    })
    expect(journal).not.toContain(gateway.secrets.prompt)
    expect(journal).not.toContain('word')
    await end()
    await proxy.heal()
    await gateway.serve()
    const { usedNano } = await gateway.client.credits()
    expect(usedNano).toBe(price)
    const id = JSON.parse(reading.events[0]?.data ?? '{}').id as string
    const generation = await gateway.client.generation(id)
    expect(generation).toMatchObject({ outcome: 'done', tokens_completion: text.length })
    expect(nanoOf(generation?.total_cost ?? -1)).toBe(price)
    expect(await findViolations(gateway)).toEqual([])
    await gateway.close()
  })
})
