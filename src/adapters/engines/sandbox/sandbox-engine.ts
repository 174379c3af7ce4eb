import type { Clock } from '../../../core/clock.ts'
import type { Timers } from '../../../core/timers.ts'
import { createFault } from '../../../domain/engines/create-fault.ts'
import type { Engine } from '../../../domain/engines/engine.ts'
import type { EngineCall, EngineReply } from '../../../domain/engines/types.ts'
import { refusedReply } from '../error-reply.ts'
import { RequestRefused } from '../request-refused.ts'
import { answerEvents } from './answer-events.ts'
import { garbageReply, statusReply } from './error-reply.ts'
import { createPace, type Pace } from './pace.ts'
import { readRequest, type SandboxRequest } from './read-request.ts'

export interface SandboxEngineOptions {
  readonly id: string
  readonly maxConcurrency: number
  readonly onDisconnect: 'cancel' | 'drain'
  /** All in milliseconds. */
  readonly timeouts: {
    readonly firstByteMs: number
    readonly idleMs: number
    readonly totalMs: number
    readonly streamTotalMs: number
  }
  readonly clock: Clock
  readonly timers: Timers
}

/**
 * The test mode: an engine inside the gateway that follows fixed rules instead of a model. The same request has the same
 * answer, nothing leaves the process, and magic inputs in the prompt make it fail in each way in which engines fail
 * (docs/test-mode.md).
 */
export function createSandboxEngine(options: SandboxEngineOptions): Engine {
  const { id, maxConcurrency, onDisconnect, timeouts, clock, timers } = options

  async function open(call: EngineCall, signal: AbortSignal): Promise<EngineReply> {
    const pace = createPace(timers, signal)
    pace.check()
    const request = readOrRefuse(call)
    if (request instanceof RequestRefused) return refusedReply(request)
    const failure = await failBefore(request, pace, timeouts.firstByteMs)
    if (failure !== null) return failure
    const created = Math.floor(clock.now() / 1_000)
    return { kind: 'events', events: answerEvents(request, { pace, idleMs: timeouts.idleMs, created }) }
  }

  return {
    id,
    kind: 'embedded',
    baseUrl: 'embedded',
    maxConcurrency,
    onDisconnect,
    firstByteMs: timeouts.firstByteMs,
    totalMs: timeouts.totalMs,
    streamTotalMs: timeouts.streamTotalMs,
    stagesFaults: true,
    open,
    probe: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

function readOrRefuse(call: EngineCall): SandboxRequest | RequestRefused {
  try {
    return readRequest(call)
  } catch (error) {
    if (error instanceof RequestRefused) return error
    throw error
  }
}

/**
 * What a magic input wants instead of an answer, in the order in which it would happen on a connection; null for nothing.
 * @throws EngineFault
 */
async function failBefore({ magic }: SandboxRequest, pace: Pace, firstByteMs: number): Promise<EngineReply | null> {
  const limit = { ms: firstByteMs, kind: 'first_byte_timeout' } as const
  if (magic['refuse-connection']) throw createFault('connect_refused')
  if (magic['first-token'] !== undefined) await pace.wait(magic['first-token'], limit)
  if (magic.reset) throw createFault('reset')
  if (magic.hang) await pace.wait(Number.POSITIVE_INFINITY, limit)
  if (magic.status !== undefined) return statusReply(magic.status, magic['retry-after'])
  return magic.garbage ? garbageReply() : null
}
