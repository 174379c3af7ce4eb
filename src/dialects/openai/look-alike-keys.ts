import { GatewayError } from '../../core/gateway-error.ts'
import { foldName } from '../../lib/fold-name.ts'
import type { JsonMember } from '../../lib/json-scan.ts'

/** No name that the gateway reads is longer. */
const nameCharactersMax = 64

/**
 * Refuses `Model` and `MAX_TOKENS`: some engines read names without regard to case, so that they would answer with another
 * model, or beyond the limit, while the gateway read nothing of it (venym.md §2.4: both read the same body). `readKeys` are
 * the names that the gateway reads, in small letters.
 * @throws GatewayError unknown_key
 */
export function refuseLookAlikes(members: readonly JsonMember[], readKeys: ReadonlySet<string>): void {
  for (const { key } of members) {
    if (key.length > nameCharactersMax || readKeys.has(key)) continue
    const meant = foldName(key)
    if (!readKeys.has(meant)) continue
    throw new GatewayError('unknown_key', `\`${key}\` is not known. Did you mean \`${meant}\`?`, { param: key })
  }
}
