import type { ServedBy } from '../core/model.ts'
import type { EngineWishes } from '../domain/engines/types.ts'
import { isModelAllowed } from '../domain/identity/key-policy.ts'
import type { CompletionDependencies } from './dependencies.ts'
import { keyedName } from './keyed-names.ts'
import type { Admitted } from './stages.ts'

/** What a composed request wants that each kind of engine spells in its own way. The engine is not known yet. */
export interface Wishes extends Omit<EngineWishes, 'fallbacks'> {
  /** Where each of the models that may answer instead is served. */
  readonly fallbacks: readonly (readonly ServedBy[])[]
}

/** Null for a body that says all of it itself. */
export function readWishes(dependencies: CompletionDependencies, admitted: Admitted): Wishes | null {
  const { request, draft, model, principal } = admitted
  const { reasoning } = draft
  if (request.content.kind === 'forwarded' || reasoning === null) return null
  const { cacheKeySecret: secret } = dependencies
  const { cacheRetention, endUserId, promptCacheKey, fallbacks } = request.content.composition
  return {
    reasoning,
    cacheRetention: cacheRetention !== null && model.cacheRetention.includes(cacheRetention) ? cacheRetention : null,
    accountCacheKey: promptCacheKey === null ? keyedName(secret, 'account-cache', principal.accountId, '') : null,
    endUserId: keyedName(secret, 'end-user', principal.accountId, endUserId ?? ''),
    fallbacks: fallbacks.flatMap(name => fallbackServed(name, dependencies, admitted) ?? []),
    searchX: admitted.searchesX,
  }
}

/** The wishes as one engine gets them: another model may answer only where that engine serves it under our name too. */
export function wishesAt({ engineId }: ServedBy, { fallbacks, ...wishes }: Wishes): EngineWishes {
  const here = fallbacks.flatMap(served => served.find(one => one.engineId === engineId)?.engineModel ?? [])
  return { ...wishes, fallbacks: here }
}

/** Null for a model that is not sold here or that the key may not use: what a caller cannot ask for must not answer either. */
function fallbackServed(
  name: string,
  { catalog }: CompletionDependencies,
  { request, principal }: Admitted,
): [readonly ServedBy[]] | null {
  const { modelNames } = request.policy
  if (!catalog.hasModel(name, modelNames)) return null
  const model = catalog.resolve(name, modelNames)
  return isModelAllowed(principal, model) ? [model.served] : null
}
