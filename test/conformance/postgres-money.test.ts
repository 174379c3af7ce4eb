import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { StoreUnavailable } from '../../src/core/store-error.ts'
import { asSuperuser, createDatabase, describePostgres, query } from '../support/postgres/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { buildRequest, buildSettlement, usd } from './builders.ts'
import { addCustomer, openPostgres } from './open-test-storage.ts'

describePostgres('money on PostgreSQL', () => {
  let url: string
  let storage: Storage
  let other: pg.Client

  beforeAll(async () => {
    url = (await createDatabase()).url
    storage = await openPostgres(url)
    // A superuser, who alone may say how long it waits before it looks for a deadlock.
    other = new pg.Client({ connectionString: asSuperuser(url) })
    await other.connect()
  })
  // What a failed test has begun must not fail the next ones.
  afterEach(() => other.query('rollback'))
  afterAll(async () => {
    await other.end()
    await storage.close()
  })

  /** Somebody else has the rows of a statement until `release` is called. */
  async function lock(text: string, values: readonly unknown[] = []): Promise<() => Promise<void>> {
    await other.query('begin')
    await other.query(text, [...values])
    return async () => void (await other.query('rollback'))
  }

  const lockAccount = (id: string) => lock('select 1 from accounts where id = $1 for update', [id])
  const lockChain = () => lock('select 1 from ledger_head for update')

  /** How many backends wait for a lock in this function. */
  async function waitingIn(name: string): Promise<readonly number[]> {
    const text = `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%${name}%'
      and datname = current_database() and pid <> pg_backend_pid()`
    return (await query<{ pid: number }>(url, text)).map(({ pid }) => pid)
  }

  async function isLocked(id: string): Promise<boolean> {
    const text = 'select 1 from accounts where id = $1 for update skip locked'
    return (await query(url, text, [id])).length === 0
  }

  async function deadlocks(): Promise<number> {
    // A backend tells of it within a second.
    return await waitFor('the count', async () => {
      const text = 'select deadlocks::integer as count from pg_stat_database where datname = current_database()'
      const [row] = await query<{ count: number }>(url, text)
      return row?.count
    })
  }

  it('refuses an admission whose account somebody else has for seconds, and holds nothing', async () => {
    const { account, key } = await addCustomer(storage, { balanceNano: usd })
    const release = await lockAccount(account.id)
    await expect(storage.admission.admit(buildRequest(key))).rejects.toThrow(StoreUnavailable)
    await release()
    expect(await storage.ledger.balance(account.id)).toMatchObject({ heldNano: 0n })
    expect(await storage.admission.admit(buildRequest(key))).toMatchObject({ admitted: true })
  })

  it('tries again at once what the server took back because of others, so that nobody is told of it', async () => {
    const [first, second] = [
      await addCustomer(storage, { balanceNano: usd }),
      await addCustomer(storage, { balanceNano: usd }),
    ]
    await other.query('begin')
    // The server itself closes the circle, at once. It takes back whoever looks for a circle first, which must be the
    // admission, however slow the machine is.
    await other.query("set local deadlock_timeout = '1min'")
    const closed = other.query(`do $$ begin
      perform 1 from accounts where id = '${second.account.id}' for update;
      for look in 1..1500 loop
        exit when exists (select 1 from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid)));
        perform pg_sleep(0.01);
      end loop;
      perform 1 from accounts where id = '${first.account.id}' for update;
    end $$`)
    await waitFor('the account to be locked', () => isLocked(second.account.id))
    // Both are asked within one turn, and so are one statement.
    const admitting = Promise.all([first, second].map(({ key }) => storage.admission.admit(buildRequest(key))))
    await closed
    await other.query('rollback')
    expect(await admitting).toMatchObject([{ admitted: true }, { admitted: true }])
    // Who tries again at once may come before the other wakes up, and closes the circle a second time.
    expect([1, 2]).toContain(await deadlocks())
  })

  it('admits while settlements wait for the end of the chain', async () => {
    const { key } = await addCustomer(storage, { balanceNano: 9n * usd })
    const other = await addCustomer(storage, { balanceNano: 9n * usd })
    const request = buildRequest(key)
    await storage.admission.admit(request)
    const release = await lockChain()
    const settling = storage.ledger.settle(buildSettlement(request, 5n))
    await waitFor('the settlement to wait', async () => (await waitingIn('rialto_settle')).length > 0)
    expect(await storage.admission.admit(buildRequest(other.key))).toMatchObject({ admitted: true })
    await release()
    expect(await settling).toMatchObject({ effect: 'settled', chargedNano: 5n })
  })

  it('refuses an admission whose connection is lost, and says that nobody knows', async () => {
    const { account, key } = await addCustomer(storage, { balanceNano: usd })
    const release = await lockAccount(account.id)
    const admitting = storage.admission.admit(buildRequest(key))
    const [pid] = await waitFor('the admission to wait', () => someOf(waitingIn('rialto_admit')))
    const refused = expect(admitting).rejects.toThrow(StoreUnavailable)
    await query(url, 'select pg_terminate_backend($1)', [pid])
    await refused
    await release()
    // A store that was just lost is not asked again at once.
    await waitFor('admissions to be taken again', () =>
      storage.admission.admit(buildRequest(key)).then(
        ({ admitted }) => admitted,
        () => false,
      ),
    )
  })

  it('settles once what it had to send twice, and admits nobody until then', async () => {
    const { account, key } = await addCustomer(storage, { balanceNano: 9n * usd })
    const request = buildRequest(key)
    await storage.admission.admit(request)
    const release = await lockChain()
    const settling = storage.ledger.settle(buildSettlement(request, 7n))
    const [pid] = await waitFor('the settlement to wait', () => someOf(waitingIn('rialto_settle')))
    await query(url, 'select pg_terminate_backend($1)', [pid])
    await waitFor('admissions to be refused', () =>
      storage.admission.admit(buildRequest(key, { free: true })).then(
        () => false,
        error => error instanceof StoreUnavailable,
      ),
    )
    await release()
    expect(await settling).toMatchObject({ effect: 'settled', chargedNano: 7n })
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(9n * usd - 7n)
  })

  it('compares the texts of its indices byte by byte, whatever the language of the database', async () => {
    const text = `select relname, attname from pg_index
      join pg_attribute on attrelid = indrelid and attnum = any (indkey) join pg_class on pg_class.oid = attrelid
      where relnamespace = current_schema()::regnamespace and atttypid = 'text'::regtype
        and attcollation <> '"C"'::regcollation`
    expect(await query(url, text)).toEqual([])
  })

  it('does not open for a gateway when the end of the chain was changed', async () => {
    const { rows } = await other.query('update transfers set amount_nano = amount_nano + 1 where seq = 1 returning seq')
    expect(rows).toHaveLength(1)
    await expect(openPostgres(url)).rejects.toThrow('the ledger is damaged')
    await other.query('update transfers set amount_nano = amount_nano - 1 where seq = 1')
    expect((await storage.ledger.verify()).problems).toEqual([])
  })
})

async function someOf(found: Promise<readonly number[]>): Promise<readonly number[] | null> {
  const pids = await found
  return pids.length === 0 ? null : pids
}
