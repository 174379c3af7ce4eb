import { createHmac } from 'node:crypto'
import type { EngineRun } from '../domain/engines/engines.ts'
import type { EngineCall, EngineReply } from '../domain/engines/types.ts'
import { failpoint } from '../lib/failpoint.ts'
import type { Answering } from './answering.ts'
import type { CompletionDependencies } from './dependencies.ts'
import type { Admitted } from './stages.ts'

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
  const promptCacheKey = hashCacheKey(dependencies, admitted)
  return dependencies.engines.run({
    served: admitted.model.served,
    publicModel: admitted.request.modelId,
    callFor: engineModel => engineCall(admitted, engineModel, promptCacheKey),
    accept: reply => {
      meter.reset()
      return open(reply)
    },
    onSent: node => running.noteSent(node),
    signal: running.signal,
  })
}

function engineCall(admitted: Admitted, engineModel: string, promptCacheKey: string | null): EngineCall {
  const { request, model, outputLimit, requestId } = admitted
  return {
    requestId,
    engineModel,
    stream: request.stream,
    choices: request.choices,
    outputLimit,
    body: request.body,
    deniedKeys: model.deniedKeys,
    promptCacheKey,
  }
}

/** Accounts must not be able to probe each other's cache, so a name means something only within its account (venym.md §2.4). */
function hashCacheKey({ cacheKeySecret }: CompletionDependencies, { request, principal }: Admitted): string | null {
  const { promptCacheKey } = request.body
  if (promptCacheKey === null) return null
  const hash = createHmac('sha256', cacheKeySecret)
  return hash.update(`${principal.accountId.length}:${principal.accountId}${promptCacheKey}`).digest('hex')
}
