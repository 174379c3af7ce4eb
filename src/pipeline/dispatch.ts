import type { ServedBy } from '../core/model.ts'
import type { EngineRun } from '../domain/engines/engines.ts'
import type { EngineCall, EngineReply } from '../domain/engines/types.ts'
import { failpoint } from '../lib/failpoint.ts'
import type { Answering } from './answering.ts'
import type { CompletionDependencies } from './dependencies.ts'
import { readWishes, type Wishes, wishesAt } from './engine-wishes.ts'
import { keyedCacheName } from './keyed-names.ts'
import type { Prepared } from './stages.ts'

/**
 * Asks nodes, one after the other, until one begins an answer that `open` accepts. Nothing has been relayed before that,
 * so a node's fault costs the caller nothing but time (venym.md §4).
 * @throws EnginesFailure when no node answered
 */
export function dispatch<T>(
  { dependencies, admitted, running, meter }: Answering,
  open: (reply: EngineReply) => Promise<T>,
): Promise<EngineRun<T>> {
  failpoint('dispatch.before')
  const promptCacheKey = cacheKeyOf(dependencies, admitted)
  const wishes = readWishes(dependencies, admitted)
  return dependencies.engines.run({
    served: admitted.served,
    publicModel: admitted.shownModelId,
    privateTexts: admitted.draft.injectedTexts,
    affinity: wishes === null ? null : (promptCacheKey ?? wishes.accountCacheKey),
    callFor: served => engineCall(admitted, served, { promptCacheKey, wishes }),
    accept: reply => {
      meter.reset()
      return open(reply)
    },
    onSent: node => running.noteSent(node),
    signal: running.signal,
  })
}

interface CallNames {
  readonly promptCacheKey: string | null
  readonly wishes: Wishes | null
}

function engineCall(admitted: Prepared, served: ServedBy, { promptCacheKey, wishes }: CallNames): EngineCall {
  const { request, model, outputLimit, requestId, body } = admitted
  return {
    requestId,
    engineModel: served.engineModel,
    stream: request.stream,
    choices: request.choices,
    outputLimit,
    body,
    deniedKeys: model.deniedKeys,
    promptCacheKey,
    wishes: wishes === null ? null : wishesAt(served, wishes),
  }
}

function cacheKeyOf({ cacheKeySecret }: CompletionDependencies, { body, principal }: Prepared): string | null {
  const { promptCacheKey } = body
  return promptCacheKey === null ? null : keyedCacheName(cacheKeySecret, principal.accountId, promptCacheKey)
}
