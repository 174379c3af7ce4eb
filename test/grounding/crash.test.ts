import { describe, expect, it } from 'vitest'
import type { Failpoint } from '../../src/lib/failpoint.ts'
import { priceOf } from '../support/gateway/index.ts'
import { answer } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { useSearchGateway } from './search-gateway.ts'

const accounts = { searching: {}, asked: {}, streaming: {}, settled: {} }
type Name = keyof typeof accounts
const { gateway, web } = useSearchGateway({ accounts })

const feeNano = 10_000_000n
const messages = [{ role: 'user', content: 'What shipped in the latest Postgres release?' }]
const online = { model: 'test/model:online', messages, stream: true }
const creditsOf = (account: Name) => gateway.client.credits(gateway.account(account).key)

/** Asks in the name of an account; the gateway dies before the answer is whole. */
function ask(account: Name): Promise<unknown> {
  return gateway.client.stream(online, { key: gateway.account(account).key }).catch(() => null)
}

/** What the gateway that follows finds and charges. It is killed, too, where the next test says. */
async function usedAfterRestart(account: Name, next?: Failpoint): Promise<bigint> {
  const store = await gateway.store()
  await gateway.serve(next === undefined ? {} : { environment: { RIALTO_FAILPOINT: `${next}:1` } })
  const { usedNano, availableNano, balanceNano } = await creditsOf(account)
  expect(availableNano).toBe(balanceNano)
  expect(await store.verify()).toMatchObject({ ok: true, problems: [], holdsOpen: 0 })
  return usedNano
}

/** In this order: each test begins with the gateway that the one before started. */
describe('kill -9 during a request with a fee for a search', () => {
  it('while the provider is asked: the hold is released, and nothing is charged', async () => {
    web().behave({ kind: 'silent' })
    const asking = ask('searching')
    await waitFor('the search', () => web().questions.length > 0)
    await gateway.process.kill()
    await asking
    expect(await usedAfterRestart('searching')).toBe(0n)
  })

  it('once results are in the prompt: the fee at most, once', async () => {
    gateway.engine().always(answer({ firstAfterMs: 20_000 }))
    const asking = ask('asked')
    await waitFor('the engine', () => gateway.engine().requests.length > 0)
    await gateway.process.kill()
    await asking
    expect([0n, feeNano]).toContain(await usedAfterRestart('asked', 'mark.written'))
  })

  it('in the middle of the answer: the fee with the tokens of the last mark, once', async () => {
    gateway.engine().always(answer({ chunks: 200, everyMs: 20 }))
    await ask('streaming')
    expect(await gateway.process.exited).toMatchObject({ signal: 'SIGKILL' })
    const usedNano = await usedAfterRestart('streaming', 'settle.after_commit_before_ack')
    expect(usedNano).toBeGreaterThan(feeNano)
    expect(usedNano).toBeLessThan(feeNano + priceOf({ prompt: 3_000, completion: 200 }))
    const lines = await (await gateway.store()).billLines('streaming')
    expect(lines).toContainEqual({ kind: 'search', quantity: 1, amountNano: feeNano })
    expect(lines.map(({ kind }) => kind)).toEqual(['input', 'output', 'search'])
  })

  it('after the settlement: what was settled, once; and no later start charges anything again', async () => {
    await ask('settled')
    expect(await gateway.process.exited).toMatchObject({ signal: 'SIGKILL' })
    expect(await usedAfterRestart('settled')).toBe(feeNano + priceOf({ prompt: 16, completion: 5 }))
    const names = Object.keys(accounts) as Name[]
    const before = await Promise.all(names.map(creditsOf))
    await gateway.process.kill()
    await gateway.serve()
    expect(await Promise.all(names.map(creditsOf))).toEqual(before)
  })
})
