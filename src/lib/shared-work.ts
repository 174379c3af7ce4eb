/** Work that several callers wait for. */
interface Flight<Value> {
  readonly result: Promise<Value>
  readonly work: AbortController
  askers: number
}

/** Runs equal work once for all who ask for it while it runs. */
export interface SharedWork<Value> {
  /**
   * The running work for the key, or else `work` begun now. Whoever leaves gets what the own signal says at once; the
   * others go on waiting, and when the last one has left, the work's signal is aborted.
   */
  run(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Value>): Promise<Value>
  isRunning(key: string): boolean
}

export function createSharedWork<Value>(): SharedWork<Value> {
  /** As many as there are callers at most, whom admission bounds. */
  const flights = new Map<string, Flight<Value>>()

  function begin(key: string, work: (signal: AbortSignal) => Promise<Value>): Flight<Value> {
    const controller = new AbortController()
    const flight = { result: work(controller.signal), work: controller, askers: 0 }
    flights.set(key, flight)
    const end = () => {
      if (flights.get(key) === flight) flights.delete(key)
    }
    void flight.result.then(end, end)
    return flight
  }

  function leave(key: string, flight: Flight<Value>): void {
    flight.askers -= 1
    if (flight.askers > 0) return
    if (flights.get(key) === flight) flights.delete(key)
    flight.work.abort(new DOMException('Nobody waits for it any more.', 'AbortError'))
  }

  return {
    async run(key, signal, work) {
      signal.throwIfAborted()
      const flight = flights.get(key) ?? begin(key, work)
      flight.askers += 1
      try {
        return await orAborted(flight.result, signal)
      } finally {
        leave(key, flight)
      }
    },
    isRunning: key => flights.has(key),
  }
}

function orAborted<Value>(result: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
