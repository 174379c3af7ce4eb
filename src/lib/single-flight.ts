/** Runs work once for all who ask for the same key while it runs. */
export interface SingleFlight<Key, Value> {
  /**
   * The running work for `key`, or else `work` begun now. All who ask meanwhile get the same result or the same error, so
   * no single asker's abort may end the work. Nothing is kept once it has ended.
   */
  run(key: Key, work: () => Promise<Value>): Promise<Value>
  /** Keys whose work is running. */
  readonly size: number
}

/** While `flightsMax` keys run, the work of further keys is not shared: a bound on memory, not on work. */
export function createSingleFlight<Key, Value>(options: { readonly flightsMax: number }): SingleFlight<Key, Value> {
  const flights = new Map<Key, Promise<Value>>()

  return {
    run(key, work) {
      const running = flights.get(key)
      if (running !== undefined) return running
      const flight = begin(work)
      if (flights.size >= options.flightsMax) return flight
      flights.set(key, flight)
      const end = () => flights.delete(key)
      // Registered before any asker's own handlers, so that whoever sees the end can begin anew.
      void flight.then(end, end)
      return flight
    },
    get size() {
      return flights.size
    },
  }
}

/** Work that throws before it returns a promise rejects like any other. */
async function begin<Value>(work: () => Promise<Value>): Promise<Value> {
  return work()
}
