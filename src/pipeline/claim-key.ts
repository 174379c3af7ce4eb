import { checkIdempotencyKey, fingerprintBody } from '../domain/idempotency/idempotency-key.ts'
import { readClaim } from '../domain/idempotency/read-claim.ts'
import type { ClaimedKey, ReplayableAnswer } from '../domain/idempotency/types.ts'
import type { CompletionDependencies } from './dependencies.ts'
import { createRecording, type Recording } from './recording.ts'
import type { Resolved } from './stages.ts'

/** Live keys of one account; beyond it new ones are refused until old ones expire (reliability.md §6.5). */
const keysMax = 10_000

export type KeyClaim =
  | { readonly state: 'claimed'; readonly recording: Recording | null }
  | { readonly state: 'replayed'; readonly answer: ReplayableAnswer }

/**
 * Claims the caller's idempotency key before anything is held, or finds what was answered under it. Without a key there is
 * nothing to claim.
 * @throws GatewayError invalid_value, idempotency_in_progress, idempotency_key_reused, not_replayable
 * @throws StoreUnavailable
 */
export async function claimKey(
  dependencies: CompletionDependencies,
  resolved: Resolved,
  holdId: string,
): Promise<KeyClaim> {
  if (resolved.idempotencyKey === null) return { state: 'claimed', recording: null }
  const key: ClaimedKey = {
    accountId: resolved.principal.accountId,
    route: resolved.route,
    key: checkIdempotencyKey(resolved.idempotencyKey),
    holdId,
  }
  const claim = await dependencies.idempotency.claim({
    ...key,
    fingerprint: await fingerprintBody(resolved.bodyBytes),
    requestId: resolved.requestId,
    processId: dependencies.processId,
    nowMs: dependencies.clock.now(),
    keysMax,
  })
  const answer = readClaim(claim)
  if (answer === null) return { state: 'claimed', recording: createRecording(dependencies, key) }
  return { state: 'replayed', answer }
}
