import type { HttpEngineOptions } from '../../src/adapters/engines/http-engine.ts'
import { systemTimers } from '../../src/adapters/system/system-timers.ts'
import type { EngineCall, EngineWishes } from '../../src/domain/engines/types.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { scanObject } from '../../src/lib/json-scan.ts'
import { Secret } from '../../src/lib/secret.ts'
import { realClock } from './real-clock.ts'

export const hostedKey = 'sk-planted-engine-key'

/** Of an engine of another family on the mock engine's port. */
export function hostedOptions(
  baseUrl: string,
): HttpEngineOptions & { deniedKeys: string[]; timers: typeof systemTimers } {
  return {
    id: 'hosted',
    baseUrl,
    apiKey: new Secret(hostedKey),
    deniedKeys: ['operator_denies'],
    maxConcurrency: 8,
    onDisconnect: 'cancel',
    timeouts: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 300, totalMs: 540_000, streamTotalMs: 1_800_000 },
    userAgent: 'rialto/0.1.0',
    clock: realClock,
    timers: systemTimers,
  }
}

export const user = { role: 'user', content: 'Hi' }

export interface Asked {
  readonly model?: string
  readonly outputLimit?: number
  readonly wishes?: Partial<EngineWishes>
  readonly reasoning?: Partial<EngineWishes['reasoning']>
}

/** A call with a body in OpenAI's form. Without `wishes` and `reasoning` it is one whose body says all of it itself. */
export function hostedCall(body: JsonObject, asked: Asked = {}): EngineCall {
  const { model = 'claude-opus-4-8', outputLimit = 4_096, wishes, reasoning } = asked
  const bytes = Buffer.from(JSON.stringify({ model: 'public', messages: [user], ...body }))
  const silent = { effort: null, enabled: null, summary: null, verbosity: null }
  const some: EngineWishes = {
    reasoning: { ...silent, ...reasoning },
    cacheRetention: null,
    accountCacheKey: null,
    endUserId: 'hashed',
    fallbacks: [],
    searchX: false,
    ...wishes,
  }
  return {
    requestId: 'req_0123456789abcdef',
    engineModel: model,
    stream: body['stream'] === true,
    choices: 1,
    outputLimit,
    body: { bytes, members: scanObject(bytes).members, removedKeys: new Set(), promptCacheKey: null },
    deniedKeys: new Set(['model_denies']),
    promptCacheKey: null,
    wishes: wishes === undefined && reasoning === undefined ? null : some,
  }
}
