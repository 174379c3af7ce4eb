/** The switch that cuts what still runs when a drain has waited long enough. Made for thousands of listeners. */
export interface DrainCut {
  readonly isCut: boolean
  /** Calls the listener when the cut comes, until the returned function is called. */
  onCut(listener: () => void): () => void
}

export interface DrainSwitch extends DrainCut {
  cut(): void
}

export function createDrainSwitch(): DrainSwitch {
  const listeners = new Set<() => void>()
  let isCut = false
  return {
    get isCut() {
      return isCut
    },
    onCut(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    cut() {
      isCut = true
      for (const listener of listeners) listener()
    },
  }
}
