import type { Snapshot } from '../sql/snapshot.ts'
import { createSqlStores, type SqlStores } from '../sql/sql-stores.ts'
import type { Sql } from '../sql/tables.ts'
import { verifyLedger } from '../sql/verify/verify-ledger.ts'
import type { PostgresSql } from './kysely-on-postgres.ts'
import { faultOf } from './postgres-fault.ts'
import { postgresTraits } from './postgres-traits.ts'
import { createUsagePartitions } from './usage/usage-partitions.ts'

/** Two callers may claim the same key at the same moment; the second then finds the first one's row. */
const claimAttempts = 3

/** The portable stores over connections: every method in one transaction, and what reads much on connections of its own. */
export function createPoolStores(lookups: PostgresSql, reports: PostgresSql): SqlStores {
  const write = <T>(run: (stores: SqlStores) => Promise<T>) => lookups.transaction(sql => run(storesIn(sql)))
  const read = <T>(run: (stores: SqlStores) => Promise<T>) => lookups.snapshot(sql => run(storesIn(sql)))
  // What may read records of many days, each of which is locked with its indexes until the transaction ends.
  const days = <T>(run: (stores: SqlStores) => Promise<T>) => reports.each(sql => run(storesIn(sql)))
  const report = <T>(run: (stores: SqlStores) => Promise<T>) => reports.snapshot(sql => run(storesIn(sql)))
  return {
    identity: {
      findKeyByHash: hash => read(({ identity }) => identity.findKeyByHash(hash)),
      createAccount: account => write(({ identity }) => identity.createAccount(account)),
      changeAccount: (id, change) => write(({ identity }) => identity.changeAccount(id, change)),
      findAccount: nameOrId => read(({ identity }) => identity.findAccount(nameOrId)),
      listAccounts: () => read(({ identity }) => identity.listAccounts()),
      createKey: (key, hash) => write(({ identity }) => identity.createKey(key, hash)),
      createKeyWithin: (key, hash, quota) => write(({ identity }) => identity.createKeyWithin(key, hash, quota)),
      listKeys: accountId => read(({ identity }) => identity.listKeys(accountId)),
      listUsedKeys: (accountId, options) => days(({ identity }) => identity.listUsedKeys(accountId, options)),
      changeKey: (id, change, owner) => write(({ identity }) => identity.changeKey(id, change, owner)),
      revokeKey: (id, atMs) => write(({ identity }) => identity.revokeKey(id, atMs)),
      keySpending: (id, nowMs) => read(({ identity }) => identity.keySpending(id, nowMs)),
      readSetting: name => read(({ identity }) => identity.readSetting(name)),
      writeSetting: (name, value) => write(({ identity }) => identity.writeSetting(name, value)),
      keepSetting: (name, value) => write(({ identity }) => identity.keepSetting(name, value)),
    },
    usage: {
      findByGeneration: (id, accountId) => read(({ usage }) => usage.findByGeneration(id, accountId)),
      list: query => days(({ usage }) => usage.list(query)),
      summarise: query => report(({ usage }) => usage.summarise(query)),
      soldLines: query => report(({ usage }) => usage.soldLines(query)),
      ...createUsagePartitions(reports),
    },
    books: {
      balance: accountId => read(({ books }) => books.balance(accountId)),
      holdFacts: holdId => read(({ books }) => books.holdFacts(holdId)),
      statement: (accountId, range) => days(({ books }) => books.statement(accountId, range)),
      charges: (accountId, query) => days(({ books }) => books.charges(accountId, query)),
      rememberPrices: prices => write(({ books }) => books.rememberPrices(prices)),
      verify: () => verifyLedger(reports.snapshot),
    },
    documents: {
      readSince: version => read(({ documents }) => documents.readSince(version)),
      write: (name, content, seenVersion) => write(({ documents }) => documents.write(name, content, seenVersion)),
    },
    refusals: {
      add: refusals => write(({ refusals: store }) => store.add(refusals)),
      list: accountId => read(({ refusals }) => refusals.list(accountId)),
    },
    failures: {
      count: failure => write(({ failures }) => failures.count(failure)),
      read: bucket => read(({ failures }) => failures.read(bucket)),
      prune: (endedBeforeMs, limit) => write(({ failures }) => failures.prune(endedBeforeMs, limit)),
    },
    idempotency: {
      claim: start => again(() => write(({ idempotency }) => idempotency.claim(start))),
      complete: (key, answer, expiresAtMs) =>
        write(({ idempotency }) => idempotency.complete(key, answer, expiresAtMs)),
      free: key => write(({ idempotency }) => idempotency.free(key)),
      recover: (processId, expiresAtMs) => write(({ idempotency }) => idempotency.recover(processId, expiresAtMs)),
      recoverFrom: (processId, expiresAtMs) =>
        write(({ idempotency }) => idempotency.recoverFrom(processId, expiresAtMs)),
      prune: (beforeMs, limit) => write(({ idempotency }) => idempotency.prune(beforeMs, limit)),
    },
  }
}

function storesIn(sql: Sql): SqlStores {
  const sameMoment: Snapshot = read => read(sql)
  return createSqlStores(sql, sameMoment, postgresTraits)
}

async function again<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (faultOf(error) !== 'taken' || attempt === claimAttempts) throw error
    }
  }
}
