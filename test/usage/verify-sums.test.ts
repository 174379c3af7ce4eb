import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { buildRequest, buildSettlement, nowMs, usd } from '../conformance/builders.ts'
import { openInProcess } from '../conformance/in-process-store.ts'
import { makeFolder } from '../conformance/make-folder.ts'
import { addCustomer, openPostgres } from '../conformance/open-test-storage.ts'
import { createDatabase, describePostgres, query } from '../support/postgres/index.ts'

/** A store, and a way to damage it behind its back. */
interface DamagedStore {
  readonly storage: Pick<Storage, 'ledger' | 'identity' | 'admission'>
  damage(statement: string): Promise<unknown>
}

const failed = { outcome: 'upstream_fail', status: 502 } as const
const dayMs = 86_400_000

/** Three requests: two today, of which one failed, and one yesterday. */
async function useStore({ storage }: DamagedStore): Promise<void> {
  const { key } = await addCustomer(storage, { balanceNano: 100n * usd, account: { name: 'anna' } })
  for (const [atMs, record] of [
    [nowMs, {}],
    [nowMs, failed],
    [nowMs - dayMs, {}],
  ] as const) {
    const request = buildRequest(key, { nowMs: atMs })
    await storage.admission.admit(request)
    await storage.ledger.settle(buildSettlement(request, 5n, { record }))
  }
}

function damageSuite(open: () => Promise<DamagedStore>): void {
  it('finds nothing to say of sums that are right', async () => {
    const store = await open()
    await useStore(store)
    expect(await store.storage.ledger.verify()).toMatchObject({ ok: true, problems: [], usageRecords: 3 })
  })

  it.each([
    ['a sum of money', 'update usage_days set cost_nano = cost_nano + 1', 'cost_nano is 1 more'],
    ['a sum of tokens', 'update usage_days set cached_tokens = cached_tokens - 1', 'cached_tokens is -1 more'],
    ['a request too many', 'update usage_days set requests = requests + 1', 'anna: its sums count 2 requests'],
    [
      'a request too few',
      'update usage_days set requests = requests - 1',
      '2026-11-15, account anna, venym/qwen-27b: 1',
    ],
    ['a day that is not counted', 'delete from usage_days where day = 20771', '2026-11-14, account anna'],
    ['nothing counted', 'delete from usage_days', '2 records are not counted'],
    ['another model', "update usage_days set model = 'other'", '2 records are not counted'],
    ['another day', 'update usage_days set day = day + 7', '1 records are not counted'],
    ['another key', 'update usage_days set key_no = 99', '1 records are not counted'],
    ['a failure not counted', 'delete from usage_days_unusual', '1 records that ended as upstream_fail'],
    ['a failure too many', 'update usage_days_unusual set requests = 2', '1 requests count as upstream_fail without'],
    ['a failure of another kind', "update usage_days_unusual set outcome = 'deadline'", 'ended as upstream_fail'],
    ['the cost of failures', 'update usage_days_unusual set cost_nano = 6', 'cost_nano is 1 more'],
    [
      'pruned records',
      'insert into pruned_usage (account_no, records, cost_nano) values (1, 1, 0)',
      'count -1 requests',
    ],
  ])('finds %s', async (_, statement, finding) => {
    const store = await open()
    await useStore(store)
    await store.damage(statement)
    const { ok, problems } = await store.storage.ledger.verify()
    expect(problems.join('\n')).toContain(finding)
    expect(ok).toBe(false)
  })
}

describe('verifying sums of usage on SQLite', () => {
  damageSuite(async () => {
    const storage = await openInProcess(join(makeFolder(), 'rialto.db'))
    return { storage, damage: async statement => storage.database.exec(statement) }
  })
})

describePostgres('verifying sums of usage on PostgreSQL', () => {
  damageSuite(async () => {
    const { url } = await createDatabase()
    const storage = await openPostgres(url, 'command')
    onTestFinished(() => storage.close())
    return { storage, damage: statement => query(url, statement) }
  })
})
