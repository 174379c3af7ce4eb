/** A second signal means that somebody does not want to wait for running answers. */
const hurried = 130

export interface SignalHandlers {
  readonly onReload: () => void
}

/** Resolves at SIGTERM or SIGINT. From then on another one ends the process at once. SIGHUP asks for a reload. */
export function waitForEnd({ onReload }: SignalHandlers): Promise<NodeJS.Signals> {
  process.on('SIGHUP', onReload)
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
