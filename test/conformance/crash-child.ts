import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { newId } from '../../src/core/ids.ts'
import { noFees } from '../../src/core/price.ts'
import type { ApiKey } from '../../src/domain/identity/types.ts'
import { armFailpoint, type Failpoint } from '../../src/lib/failpoint.ts'
import { buildGrant, buildRequest, buildSettlement, nowMs, random, usd } from './builders.ts'
import { addCustomer, openLocation } from './open-store.ts'

/**
 * A process that books as a gateway does, says on its standard output what was acknowledged to it, and is killed at the
 * named place, or by somebody else: `crash-child.ts PATH|URL [FAILPOINT NTH]`.
 */
export type Acknowledged =
  | { readonly kind: 'account'; readonly accountId: string }
  | { readonly kind: 'grant'; readonly idempotencyKey: string }
  | { readonly kind: 'claimed' | 'completed'; readonly claim: ClaimText }
  | { readonly kind: 'admitted' | 'settled'; readonly generationId: string; readonly chargeNano: string }
  | { readonly kind: 'marked'; readonly generationId: string; readonly chargeNano: string }

interface ClaimText {
  readonly accountId: string
  readonly key: string
  readonly holdId: string
  readonly requestId: string
}

const rounds = 50
const parallel = 8
const day = 86_400_000

function say(line: Acknowledged): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

async function complete(storage: Storage, key: ApiKey, processId: string): Promise<void> {
  const request = buildRequest(key, { processId, fixedNano: usd / 100n })
  const { requestId, holdId, generationId, accountId } = request
  const scope = { accountId, route: '/v1/chat/completions', key: requestId, holdId }
  const fingerprint = createHash('sha256').update(requestId).digest()
  await storage.idempotency.claim({ ...scope, fingerprint, requestId, processId, nowMs, keysMax: 100_000 })
  const claim = { accountId, key: requestId, holdId, requestId }
  say({ kind: 'claimed', claim })
  await storage.admission.admit(request)
  say({ kind: 'admitted', generationId, chargeNano: '0' })
  await storage.ledger.mark({ holdId, chargeNano: 5n, promptTokens: 1, completionTokens: 1, fees: noFees, atMs: nowMs })
  say({ kind: 'marked', generationId, chargeNano: '5' })
  await storage.ledger.settle(buildSettlement(request, 9n))
  say({ kind: 'settled', generationId, chargeNano: '9' })
  const answer = { status: 200, contentType: 'text/plain', body: Buffer.from(requestId) }
  await storage.idempotency.complete(scope, answer, nowMs + day)
  say({ kind: 'completed', claim })
}

const [location = '', name, nth] = process.argv.slice(2)
if (name !== undefined) armFailpoint({ name: name as Failpoint, nth: Number(nth) })
const storage = await openLocation(location, 'gateway')
const processId = newId('proc', random)
await storage.ledger.recover(processId, nowMs)
await storage.idempotency.recover(processId, nowMs + day)
const { account, key } = await addCustomer(storage, { balanceNano: 1_000n * usd })
say({ kind: 'account', accountId: account.id })
for (let round = 0; round < rounds; round++) {
  const grant = buildGrant(account.id, 1n)
  await Promise.all([
    ...Array.from({ length: parallel }, () => complete(storage, key, processId)),
    storage.ledger.post(grant).then(() => say({ kind: 'grant', idempotencyKey: grant.idempotencyKey })),
  ])
}
process.exitCode = 9
await storage.close()
