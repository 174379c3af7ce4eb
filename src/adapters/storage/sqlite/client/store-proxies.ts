import { Buffer } from 'node:buffer'
import type { IdempotencyStore } from '../../../../domain/idempotency/idempotency-store.ts'
import type { IdempotencyClaim, IdempotencyKey, ReplayableAnswer } from '../../../../domain/idempotency/types.ts'
import type { IdentityStore } from '../../../../domain/identity/identity-store.ts'
import type { UsageStore } from '../../../../domain/usage/usage-store.ts'
import type { Seal } from '../../sql/seal.ts'
import type { LedgerBooks } from '../../sql/stores/ledger-books.ts'
import type { SqlStores } from '../protocol.ts'
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
    listKeys: remote(reader, ['identity', 'listKeys']),
    revokeKey: remote(writer, ['identity', 'revokeKey']),
    keySpending: remote(reader, ['identity', 'keySpending']),
    readSetting: remote(reader, ['identity', 'readSetting']),
    writeSetting: remote(writer, ['identity', 'writeSetting']),
  }
}

export function createUsageProxy({ writer, reader, reports }: StoreClients): UsageStore {
  return {
    findByGeneration: remote(reader, ['usage', 'findByGeneration']),
    list: remote(reports, ['usage', 'list'], { waitMs: reportWaitMs }),
    prune: remote(writer, ['usage', 'prune']),
  }
}

export function createBooksProxy({ writer, reader, reports }: StoreClients): LedgerBooks {
  return {
    balance: remote(reader, ['books', 'balance']),
    holdFacts: remote(reader, ['books', 'holdFacts']),
    statement: remote(reports, ['books', 'statement'], { waitMs: reportWaitMs }),
    rememberPrices: remote(writer, ['books', 'rememberPrices']),
    verify: remote(reports, ['books', 'verify'], { waitMs: verifyWaitMs }),
  }
}

/** Answers are sealed here, on their way to the writer: neither its thread nor the file sees them open. */
export function createIdempotencyProxy({ writer }: StoreClients, seal: Seal): IdempotencyStore {
  const claim = remote(writer, ['idempotency', 'claim'])
  const complete = remote(writer, ['idempotency', 'complete'])
  return {
    claim: async start => openClaim(await claim(start), start, seal),
    complete: (key, answer, expiresAtMs) => complete(key, closeAnswer(answer, key, seal), expiresAtMs),
    free: remote(writer, ['idempotency', 'free']),
    recover: remote(writer, ['idempotency', 'recover']),
    prune: remote(writer, ['idempotency', 'prune']),
  }
}

/** Sealed answers open only under the key that they were stored for. */
function contextOf({ accountId, route, key }: IdempotencyKey): string {
  return JSON.stringify([accountId, route, key])
}

function closeAnswer(answer: ReplayableAnswer | null, key: IdempotencyKey, seal: Seal): ReplayableAnswer | null {
  return answer === null ? null : { ...answer, body: seal.close(answer.body, contextOf(key)) }
}

function openClaim(claim: IdempotencyClaim, key: IdempotencyKey, seal: Seal): IdempotencyClaim {
  if (claim.state !== 'done' || claim.answer === null) return claim
  // Between threads a Buffer arrives as a plain Uint8Array.
  const sealed = Buffer.from(claim.answer.body)
  return { ...claim, answer: { ...claim.answer, body: seal.open(sealed, contextOf(key)) } }
}
