/** A second signal means that somebody does not want to wait for running answers. */
const hurried = 130

export interface SignalHandlers {
  onReload: () => void
  /** A rolling restart is asked for. */
  onReplace: () => void
}

/**
 * Resolves at SIGTERM or SIGINT. From then on another one ends the process at once. SIGHUP asks for a reload, SIGUSR2 for a
 * rolling restart.
 */
export function waitForEnd({ onReload, onReplace }: SignalHandlers): Promise<NodeJS.Signals> {
  process.on('SIGHUP', onReload)
  process.on('SIGUSR2', onReplace)
  return new Promise(resolve => {
    const end = (signal: NodeJS.Signals): void => {
      for (const name of ['SIGTERM', 'SIGINT'] as const) {
        process.off(name, end)
        process.on(name, () => process.exit(hurried))
      }
      resolve(signal)
    }
    process.on('SIGTERM', end)
    process.on('SIGINT', end)
  })
}

/**
 * Keeps what SIGHUP and SIGUSR2 ask for while the gateway starts: the port answers before somebody can do it, and a signal that
 * nobody listens to ends the process. What is returned passes them on, each at most once.
 */
export function keepWishes(): (handlers: SignalHandlers) => void {
  const wished = new Set<NodeJS.Signals>()
  const keep = (signal: NodeJS.Signals): void => void wished.add(signal)
  process.on('SIGHUP', keep)
  process.on('SIGUSR2', keep)
  return ({ onReload, onReplace }) => {
    process.off('SIGHUP', keep)
    process.off('SIGUSR2', keep)
    if (wished.has('SIGHUP')) onReload()
    if (wished.has('SIGUSR2')) onReplace()
  }
}
