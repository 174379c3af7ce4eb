import { expect, it } from 'vitest'
import { nowMs, usd } from '../conformance/builders.ts'
import { addCustomer, openPostgres } from '../conformance/open-test-storage.ts'
import { createDatabase, describePostgres, query } from '../support/postgres/index.ts'

const many = 50_000

describePostgres('charges in one currency among many in another', () => {
  it('are found without looking at the others', async () => {
    const { url } = await createDatabase()
    const storage = await openPostgres(url, 'command')
    const { account } = await addCustomer(storage, { balanceNano: usd })
    await query(
      url,
      `insert into transfers (seq, code, line, debit, credit, asset, amount_nano, customer_no, hold_seq, note, created_at_ms, hash)
       select 1 + i, 'usage', 'usage', 'customer:${account.id}', 'revenue',
         case when i % 10000 = 0 then 'earned' else 'usd' end, 1, 1, i, '', ${nowMs} + i, 'h' || i
       from generate_series(1, ${many}) i`,
    )
    await query(url, 'analyze transfers')
    await storage.close()
    const asked = await openPostgres(url, 'command')
    const entries = async () => {
      const text =
        "select idx_tup_read::integer as read, seq_scan::integer as scans from pg_stat_user_indexes i join pg_stat_user_tables t using (relid) where i.indexrelname = 'transfers_order'"
      return (await query<{ read: number; scans: number }>(url, text))[0]
    }
    const before = await entries()
    const range = { fromMs: nowMs, toMs: nowMs + many + 1, after: null, limit: 1_000 }
    const earned = await asked.ledger.charges(account.id, { ...range, currency: 'earned' })
    expect(earned.map(({ place }) => place.atMs - nowMs)).toEqual([10_000, 20_000, 30_000, 40_000, 50_000])
    const all = await asked.ledger.charges(account.id, { ...range, fromMs: nowMs + 9_990, currency: null, limit: 20 })
    expect(all.map(({ place }) => place.atMs - nowMs)).toEqual(Array.from({ length: 20 }, (_, index) => 9_990 + index))
    // The server counts for certain what a connection did when it is closed.
    await asked.close()
    const after = await entries()
    expect(after?.scans).toBe(before?.scans)
    expect((after?.read ?? Number.NaN) - (before?.read ?? 0)).toBeLessThan(200)
  })
})
