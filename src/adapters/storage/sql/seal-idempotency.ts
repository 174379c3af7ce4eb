import { Buffer } from 'node:buffer'
import type { IdempotencyStore } from '../../../domain/idempotency/idempotency-store.ts'
import type { IdempotencyClaim, IdempotencyKey, ReplayableAnswer } from '../../../domain/idempotency/types.ts'
import type { Seal } from './seal.ts'

/** Answers are sealed on their way to the store: neither its threads, nor its server, nor its files see them open. */
export function sealIdempotency(store: IdempotencyStore, seal: Seal): IdempotencyStore {
  return {
    claim: async start => openClaim(await store.claim(start), start, seal),
    complete: (key, answer, expiresAtMs) => store.complete(key, closeAnswer(answer, key, seal), expiresAtMs),
    free: key => store.free(key),
    recover: (processId, expiresAtMs) => store.recover(processId, expiresAtMs),
    recoverFrom: (processId, expiresAtMs) => store.recoverFrom(processId, expiresAtMs),
    prune: (beforeMs, limit) => store.prune(beforeMs, limit),
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
