/** A second signal means that somebody does not want to wait for running answers. */
const hurried = 130

const endings = ['SIGTERM', 'SIGINT'] as const

export interface EndSignal {
  /**
   * From now on the process no longer ends by itself at SIGTERM or SIGINT, but at a second one. To be called before the
   * gateway serves anybody: what it began is ended orderly.
   */
  expect(): void
  /** Resolves at the first one. */
  readonly came: Promise<NodeJS.Signals>
}

export function createEndSignal(): EndSignal {
  let come: (signal: NodeJS.Signals) => void = () => undefined
  const came = new Promise<NodeJS.Signals>(resolve => {
    come = resolve
  })
  const end = (signal: NodeJS.Signals): void => {
    for (const name of endings) {
      process.off(name, end)
      process.on(name, () => process.exit(hurried))
    }
    come(signal)
  }
  return {
    expect() {
      for (const name of endings) process.on(name, end)
    },
    came,
  }
}

export interface Wishes {
  /** Asked for by SIGHUP. */
  onReload: () => void
  /** A rolling restart, asked for by SIGUSR2. */
  onReplace: () => void
}

export function takeWishes({ onReload, onReplace }: Wishes): void {
  process.on('SIGHUP', onReload)
  process.on('SIGUSR2', onReplace)
}

/**
 * Keeps what SIGHUP and SIGUSR2 ask for while the gateway starts: the port answers before somebody can do it, and a signal that
 * nobody listens to ends the process. Whoever is given to what is returned takes them, each at most once, and all later ones.
 */
export function keepWishes(): (wishes: Wishes) => void {
  const wished = new Set<NodeJS.Signals>()
  const keep = (signal: NodeJS.Signals): void => void wished.add(signal)
  process.on('SIGHUP', keep)
  process.on('SIGUSR2', keep)
  return wishes => {
    process.off('SIGHUP', keep)
    process.off('SIGUSR2', keep)
    takeWishes(wishes)
    if (wished.has('SIGHUP')) wishes.onReload()
    if (wished.has('SIGUSR2')) wishes.onReplace()
  }
}
