import { performance } from 'node:perf_hooks'
import { deserialize, serialize } from 'node:v8'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSharedStorage } from '../../src/adapters/storage/shared/open-shared-storage.ts'
import { type SharedResults, shareClients } from '../../src/adapters/storage/shared/share-clients.ts'
import { openSqliteStorage, type SqliteStorage } from '../../src/adapters/storage/sqlite/open-sqlite.ts'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { StoreUnavailable } from '../../src/core/store-error.ts'
import { waitFor } from '../support/wait-for.ts'
import { admissionSuite } from './admission-suite.ts'
import { buildRequest, buildSettlement, nowMs, random, usd } from './builders.ts'
import { documentsSuite } from './documents-suite.ts'
import { failuresSuite } from './failures-suite.ts'
import { idempotencySuite } from './idempotency-suite.ts'
import { identitySuite } from './identity-suite.ts'
import { keysSuite } from './keys-suite.ts'
import { ledgerSuite } from './ledger-suite.ts'
import { addCustomer } from './open-store.ts'
import { usageSuite } from './usage-suite.ts'

const secret = Buffer.alloc(32, 7)
const clock = { now: () => nowMs, monotonic: () => performance.now() }
const logger = { info: () => undefined, error: () => undefined }

let owner: SqliteStorage
beforeAll(async () => {
  const onFatal = (error: Error) => {
    throw error
  }
  owner = await openSqliteStorage({ path: ':memory:', secret, clock, random, logger, mode: 'gateway', onFatal })
})
afterAll(() => owner.close())

/** A store whose owner is reached as another process is: by copies, as messages between processes make them. */
function openWorkerStorage(through: <Value>(answer: Promise<Value>) => Promise<Value> = answer => answer): Storage {
  const run = shareClients(owner.clients)
  const copy = <Value>(value: Value): Value => deserialize(serialize(value)) as Value
  return openSharedStorage({
    ...{ secret, clock, random, logger },
    run: async shared => copy(await through(run(copy(shared)))),
  })
}

describe('a store that another process has open', () => {
  let worker: Storage
  beforeAll(() => {
    worker = openWorkerStorage()
  })
  afterAll(() => worker.close())

  /** What the owner alone does is done by it. */
  const open = async (): Promise<Storage> => ({
    ...worker,
    ledger: { ...worker.ledger, ...only(owner.ledger, ['recover', 'recoverFrom', 'sweep']) },
    usage: { ...worker.usage, prune: owner.usage.prune },
    failures: { ...worker.failures, prune: owner.failures.prune },
    idempotency: { ...worker.idempotency, ...only(owner.idempotency, ['recover', 'recoverFrom', 'prune']) },
  })
  admissionSuite(open)
  ledgerSuite(open)
  identitySuite(open)
  keysSuite(open)
  failuresSuite(open)
  usageSuite(open)
  idempotencySuite(open)
  documentsSuite(open)

  it('is not recovered, swept or pruned from here: the others of this moment are no dead ones', async () => {
    const { account, key } = await addCustomer(owner, { balanceNano: 10n * usd })
    const request = buildRequest(key, { processId: 'proc_other', deadlineMs: nowMs - 100_000 })
    await owner.admission.admit(request)
    const nothing = { charged: 0, released: 0 }
    expect(await worker.ledger.recover('proc_me', nowMs)).toEqual(nothing)
    expect(await worker.ledger.recoverFrom('proc_other', nowMs)).toEqual(nothing)
    expect(await worker.ledger.sweep(nowMs, 0)).toEqual(nothing)
    expect((await owner.ledger.balance(account.id)).heldNano).toBe(usd)
  })

  it('keeps a settlement until an owner that refuses for a while takes it, once', async () => {
    let refusals = 4
    const unsteady = openWorkerStorage(async answer => {
      const results = await answer
      if (refusals === 0) return results
      refusals -= 1
      // It was settled, and that is not told: the worst that can be.
      return (results as SharedResults).map(result => (result[0] === 'settle' ? lost : result)) as typeof results
    })
    const { account, key } = await addCustomer(owner, { balanceNano: 10n * usd })
    const request = buildRequest(key, { processId: 'proc_unsteady' })
    await owner.admission.admit(request)
    const settled = unsteady.ledger.settle(buildSettlement(request, 5n))
    await waitFor('the first refusal', () => refusals < 4)
    await expect(unsteady.admission.admit(buildRequest(key))).rejects.toThrow(StoreUnavailable)
    expect((await settled).chargedNano).toBe(5n)
    expect(await owner.ledger.balance(account.id)).toMatchObject({ balanceNano: 10n * usd - 5n, heldNano: 0n })
    await unsteady.close()
  })
})

const lost = ['error', { name: 'StoreUnavailable', message: 'the store did not answer in time' }] as const

function only<Store extends object, Name extends keyof Store>(store: Store, names: readonly Name[]): Pick<Store, Name> {
  return Object.fromEntries(names.map(name => [name, store[name]])) as Pick<Store, Name>
}
