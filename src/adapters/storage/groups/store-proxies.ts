import type { IdempotencyStore } from '../../../domain/idempotency/idempotency-store.ts'
import type { IdentityStore } from '../../../domain/identity/identity-store.ts'
import type { FailureStore } from '../../../domain/limits/failure-store.ts'
import type { RefusalStore } from '../../../domain/limits/refusal-store.ts'
import type { SharedDocuments } from '../../../domain/replicas/shared-documents.ts'
import type { UsageStore } from '../../../domain/usage/usage-store.ts'
import type { SqlStores } from '../sql/sql-stores.ts'
import type { LedgerBooks } from '../sql/stores/ledger-books.ts'
import type { GroupClient, RunOptions } from './group-client.ts'

/** Long reads may take this: a statement or a page over millions of rows, or the check of the whole ledger. */
const reportWaitMs = 60_000
const verifyWaitMs = 600_000

/** Three ways to the same stores: through the writer's transaction, a quick reader, and one for what takes long. */
export interface StoreClients {
  readonly writer: GroupClient
  readonly reader: GroupClient
  readonly reports: GroupClient
}

type Method<S, M extends keyof S> = S[M] extends (...parameters: infer P) => Promise<infer R>
  ? (...parameters: P) => Promise<R>
  : never

/** A method of a store, run by a client's thread. */
function remote<N extends keyof SqlStores, M extends keyof SqlStores[N] & string>(
  client: GroupClient,
  [store, method]: readonly [N, M],
  options?: RunOptions,
): Method<SqlStores[N], M> {
  const call = (...parameters: readonly unknown[]) =>
    client.run({ kind: 'call', call: { store, method, parameters } }, options)
  return call as Method<SqlStores[N], M>
}

export function createIdentityProxy({ writer, reader }: StoreClients): IdentityStore {
  return {
    findKeyByHash: remote(reader, ['identity', 'findKeyByHash']),
    createAccount: remote(writer, ['identity', 'createAccount']),
    changeAccount: remote(writer, ['identity', 'changeAccount']),
    findAccount: remote(reader, ['identity', 'findAccount']),
    listAccounts: remote(reader, ['identity', 'listAccounts']),
    createKey: remote(writer, ['identity', 'createKey']),
    createKeyWithin: remote(writer, ['identity', 'createKeyWithin']),
    listKeys: remote(reader, ['identity', 'listKeys']),
    listUsedKeys: remote(reader, ['identity', 'listUsedKeys']),
    changeKey: remote(writer, ['identity', 'changeKey']),
    revokeKey: remote(writer, ['identity', 'revokeKey']),
    keySpending: remote(reader, ['identity', 'keySpending']),
    readSetting: remote(reader, ['identity', 'readSetting']),
    writeSetting: remote(writer, ['identity', 'writeSetting']),
    keepSetting: remote(writer, ['identity', 'keepSetting']),
  }
}

export function createUsageProxy({ writer, reader, reports }: StoreClients): UsageStore {
  return {
    findByGeneration: remote(reader, ['usage', 'findByGeneration']),
    list: remote(reports, ['usage', 'list'], { waitMs: reportWaitMs }),
    summarise: remote(reports, ['usage', 'summarise'], { waitMs: reportWaitMs }),
    soldLines: remote(reports, ['usage', 'soldLines'], { waitMs: reportWaitMs }),
    prepareDays: () => Promise.resolve(),
    prune: remote(writer, ['usage', 'prune']),
  }
}

export function createBooksProxy({ writer, reader, reports }: StoreClients): LedgerBooks {
  return {
    balance: remote(reader, ['books', 'balance']),
    holdFacts: remote(reader, ['books', 'holdFacts']),
    statement: remote(reports, ['books', 'statement'], { waitMs: reportWaitMs }),
    charges: remote(reports, ['books', 'charges'], { waitMs: reportWaitMs }),
    rememberPrices: remote(writer, ['books', 'rememberPrices']),
    verify: remote(reports, ['books', 'verify'], { waitMs: verifyWaitMs }),
  }
}

export function createDocumentsProxy({ writer, reader }: StoreClients): SharedDocuments {
  return {
    readSince: remote(reader, ['documents', 'readSince']),
    write: remote(writer, ['documents', 'write']),
  }
}

export function createRefusalsProxy({ writer, reader }: StoreClients): RefusalStore {
  return {
    add: remote(writer, ['refusals', 'add']),
    list: remote(reader, ['refusals', 'list']),
  }
}

/** A failure's answer waits for its count, but not for a store that is in trouble. */
const countWaitMs = 1_000

export function createFailuresProxy({ writer, reader }: StoreClients): FailureStore {
  return {
    count: remote(writer, ['failures', 'count'], { waitMs: countWaitMs }),
    read: remote(reader, ['failures', 'read'], { waitMs: countWaitMs }),
    prune: remote(writer, ['failures', 'prune']),
  }
}

export function createIdempotencyProxy({ writer }: StoreClients): IdempotencyStore {
  return {
    claim: remote(writer, ['idempotency', 'claim']),
    complete: remote(writer, ['idempotency', 'complete']),
    free: remote(writer, ['idempotency', 'free']),
    recover: remote(writer, ['idempotency', 'recover']),
    recoverFrom: remote(writer, ['idempotency', 'recoverFrom']),
    prune: remote(writer, ['idempotency', 'prune']),
  }
}
