import { WireError } from '../wire-error.ts'

/** Requests that may wait beside the one that runs. */
const waitingMax = 16
/** After this the gateway had better try another node. */
const waitMsMax = 60_000
const retryAfterSeconds = 5

export interface Turnstile {
  /** Runs `work` when its turn comes. @throws WireError 429 when the queue is full or the wait too long. */
  pass<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result>
  /** How many run (0 or 1) and wait. */
  counts(): { readonly running: number; readonly waiting: number }
}

/** Lets requests through one by one, first come first served: the model has one context. */
export function createTurnstile(): Turnstile {
  const queue: (() => void)[] = []
  let busy = false

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (!busy) {
      busy = true
      return
    }
    if (queue.length >= waitingMax) throw overloaded('The engine is busy and its queue is full.')
    const { promise, resolve, reject } = deferred()
    const leave = (reason: unknown): void => {
      const place = queue.indexOf(resolve)
      if (place >= 0) queue.splice(place, 1)
      reject(reason)
    }
    const timer = setTimeout(() => leave(overloaded('The engine stayed busy for too long.')), waitMsMax)
    const onAbort = (): void => leave(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    queue.push(resolve)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  function exit(): void {
    const next = queue.shift()
    if (next === undefined) busy = false
    else next()
  }

  return {
    counts: () => ({ running: busy ? 1 : 0, waiting: queue.length }),
    pass: async (work, signal) => {
      await enter(signal)
      try {
        return await work()
      } finally {
        exit()
      }
    },
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void; reject: (reason: unknown) => void } {
  let settle: { resolve: () => void; reject: (reason: unknown) => void } | undefined
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, resolve: () => settle?.resolve(), reject: reason => settle?.reject(reason) }
}

function overloaded(message: string): WireError {
  return new WireError({ status: 429, code: 'engine_overloaded', message, retryAfterSeconds })
}
