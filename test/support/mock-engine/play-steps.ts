import type { Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { encodeStep } from './encode-step.ts'
import type { EngineRequest } from './engine-request.ts'
import type { Ending, Step } from './step.ts'

/** An RST discards what the kernel has not delivered yet, so the bytes before it get this long to arrive. */
const RESET_GRACE_MS = 20
/** The kernel takes small writes at once; without a pause a fast reader would keep the event loop to this socket. */
const WRITES_PER_TURN = 16

export interface Stage {
  readonly socket: Socket
  readonly request: EngineRequest
  /** Fires when the peer left or the engine stops. */
  readonly gone: AbortSignal
}

export interface Played {
  readonly how: Ending
  /** True when an `end` step said so; false when the steps ran out and ordinary HTTP decided. */
  readonly onPurpose: boolean
}

/**
 * Writes the steps one after the other, each only after the kernel took the one before it.
 * Returns how the engine ended the exchange, or undefined when `gone` fired before that.
 */
export async function playSteps(steps: Iterable<Step>, stage: Stage): Promise<Played | undefined> {
  const { socket, request, gone } = stage
  let chunked = false
  let how: Ending = request.headers['connection']?.toLowerCase() === 'close' ? 'close' : 'keep-alive'
  let onPurpose = false
  let writes = 0

  for (const step of steps) {
    if (gone.aborted) return undefined
    if (step.kind === 'end') {
      how = step.how
      onPurpose = true
      break
    }
    if (step.kind === 'wait') await pause(step.ms, gone)
    if (step.kind === 'stop-reading') socket.pause()
    if (step.kind === 'generate' || step.kind === 'payload') request.tokensGenerated += step.tokens
    if (step.kind === 'head') {
      chunked = step.chunked
      if (step.headers.some(([name, value]) => isConnectionClose(name, value))) how = 'close'
    }
    const bytes = encodeStep(step, chunked)
    if (bytes.length > 0) {
      if (!(await write(socket, bytes))) return undefined
      request.bytesWritten += bytes.length
      writes += 1
      if (writes % WRITES_PER_TURN === 0) await setImmediate()
    }
    if (step.kind === 'payload' && step.part === 'chunk') request.chunksWritten += 1
  }

  if (how === 'reset') await pause(RESET_GRACE_MS, gone)
  if (how === 'hang') await untilGone(gone)
  return gone.aborted ? undefined : { how, onPurpose }
}

function isConnectionClose(name: string, value: string): boolean {
  return name.toLowerCase() === 'connection' && value.toLowerCase() === 'close'
}

/** False when the socket died before the kernel took the bytes. */
function write(socket: Socket, bytes: Buffer): Promise<boolean> {
  return new Promise(resolve => {
    if (!socket.writable) resolve(false)
    else socket.write(bytes, error => resolve(error === null || error === undefined))
  })
}

/** Waits, but not longer than the peer does. */
async function pause(ms: number, gone: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal: gone })
  } catch (error) {
    if (!gone.aborted) throw error
  }
}

function untilGone(gone: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (gone.aborted) resolve()
    else gone.addEventListener('abort', () => resolve(), { once: true })
  })
}
