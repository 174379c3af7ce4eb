import { GatewayError } from '../../core/gateway-error.ts'
import { decodeDeletedKey, decodeKeyChange, decodeNewKey } from '../../dialects/venice/decode/decode-key.ts'
import {
  encodeChangedKey,
  encodeKeyList,
  encodeNewKey,
  encodeUsedKey,
  keyDeleted,
  type UsedKeyFacts,
} from '../../dialects/venice/encode/encode-keys.ts'
import { keyIdOf } from '../../dialects/venice/uuid.ts'
import type { Account, ApiKey, UsedKey } from '../../domain/identity/types.ts'
import { issueKeyWithin } from '../../pipeline/issue-key.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { chargedByKey } from './charged-by-key.ts'
import type { KeyRoutes } from './key-routes.ts'

export const keysAddress = '/api/v1/api_keys'

type Dependencies = Pick<ServerDependencies, 'identityStore' | 'usage' | 'clock' | 'random' | 'secret' | 'settings'>

/** `/api/v1/api_keys`: an account's own keys, for holders of an admin key (venice.md §6.3). */
export function registerKeys({ forAdmin }: KeyRoutes, dependencies: Dependencies): void {
  const { identityStore, clock, random, secret, settings } = dependencies

  forAdmin('GET', keysAddress, async ({ account }) => {
    const keys = await identityStore.listUsedKeys(account.id, { keyId: null, nowMs: clock.now() })
    return encodeKeyList(await withUsage(dependencies, account, keys))
  })

  forAdmin('GET', `${keysAddress}/:id`, async ({ account }, { request }) => {
    const { id } = request.params as { readonly id: string }
    const key = await findKey(dependencies, account, id)
    if (key === null) throw refused('API key not found')
    return encodeUsedKey(key)
  })

  forAdmin('POST', keysAddress, async ({ key: maker, account }, { request }) => {
    const wanted = decodeNewKey(request.body, clock.now())
    const desk = { identity: identityStore, clock, random, secret, prefix: settings().keyPrefix }
    const issued = await issueKeyWithin(desk, { accountId: account.id, ...wanted, ...boundsOf(maker) })
    return encodeNewKey(issued.key, issued.text)
  })

  forAdmin('PATCH', keysAddress, async ({ account }, { request }) => {
    const nowMs = clock.now()
    const { id, change } = decodeKeyChange(request.body, nowMs)
    const keyId = keyIdOf(id)
    const isChanged = keyId !== null && (await identityStore.changeKey(keyId, change, { accountId: account.id, nowMs }))
    const changed = isChanged ? await findKey(dependencies, account, id) : null
    if (changed === null) throw refused('API key not found or expired')
    return encodeChangedKey(changed)
  })

  forAdmin('DELETE', keysAddress, async ({ account }, { request }) => {
    const nowMs = clock.now()
    const keyId = keyIdOf(decodeDeletedKey(request.query, request.body))
    const [found] = keyId === null ? [] : await identityStore.listUsedKeys(account.id, { keyId, nowMs })
    if (found === undefined || !(await identityStore.revokeKey(found.key.id, nowMs)))
      throw refused('API key could not be found')
    return keyDeleted
  })
}

/** What an operator laid upon a key that makes others, and what no caller can ask for, holds for them too. */
function boundsOf({ allowedModels, requestsPerMinute, tokensPerMinute, requestsPerDay, concurrency }: ApiKey) {
  return { allowedModels, requestsPerMinute, tokensPerMinute, requestsPerDay, concurrency }
}

async function findKey(dependencies: Dependencies, account: Account, id: string): Promise<UsedKeyFacts | null> {
  const { identityStore, clock } = dependencies
  const keyId = keyIdOf(id)
  if (keyId === null) return null
  const found = await identityStore.listUsedKeys(account.id, { keyId, nowMs: clock.now() })
  const [key] = await withUsage(dependencies, account, found)
  return key ?? null
}

async function withUsage(
  { usage, clock }: Dependencies,
  account: Account,
  keys: readonly UsedKey[],
): Promise<readonly UsedKeyFacts[]> {
  const charged = await chargedByKey(usage, account.id, clock.now())
  return keys.map(used => ({ ...used, sevenDays: charged.get(used.key.id) ?? { usdNano: 0n, diemNano: 0n } }))
}

function refused(message: string): GatewayError {
  return new GatewayError('bad_request', message, { param: 'id' })
}
