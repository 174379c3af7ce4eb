import type { connectPrimary } from '../../app.ts'
import { packageVersion } from '../package-version.ts'

type Line = NonNullable<ReturnType<typeof connectPrimary>>

/** A terminal and some supervisors signal the whole group; what is to happen says the first process alone. */
const signalsOfTheFirst = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const

/** One of several processes of a gateway. Resolves with the exit code. */
export async function serveWorker(line: Line): Promise<number> {
  for (const signal of signalsOfTheFirst) process.on(signal, () => undefined)
  // Nothing of the store may be believed from here on, and nobody else could end this process.
  line.onClosed(() => process.exit(1))
  const { loadWorker } = await import('../../app.ts')
  const { runWorker } = await loadWorker()
  return runWorker({ line, version: packageVersion() })
}
