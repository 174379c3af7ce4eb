import type { Config } from '../../config/config.ts'
import { armFailpoint } from '../../lib/failpoint.ts'
import { CommandError } from '../command-error.ts'
import { packageVersion } from '../package-version.ts'
import { announce, completer } from './announce.ts'
import { explainStartFailure } from './explain-start-failure.ts'
import type { ServeOptions } from './serve-options.ts'
import { createEndSignal, takeWishes, type Wishes } from './wait-for-end.ts'

/** The gateway in several processes, of which this one starts, watches and ends the others. */
export async function serveGroup(options: ServeOptions): Promise<void> {
  const { installation } = options
  const { logger } = installation.ground
  const { watchConfiguration } = await import('../../app.ts')
  const complete = await completer(options)
  const config = complete(installation.config)
  warnOfFewPlaces(config, options)
  const stayAlive = keepAlive()
  const hope = createHope()
  const wishes: Partial<Wishes> = {}
  // The first worker serves before the last one is ready; from then on no signal may end this process by itself.
  const end = createEndSignal()
  end.expect()
  takeWishes({ onReload: () => wishes.onReload?.(), onReplace: () => wishes.onReplace?.() })
  const workers = await start(config, options, hope.lose)
  const watch = watchConfiguration(installation, (next, file) => workers.reload(complete(next), file))
  wishes.onReload = () => void watch?.reload()
  wishes.onReplace = () => workers.replaceAll()
  announce(options, config, workers)
  const signal = await Promise.race([end.came, hope.lost])
  logger.info('gateway.stopping', { signal: signal ?? 'none' })
  watch?.close()
  await workers.close()
  logger.info('gateway.stopped')
  clearInterval(stayAlive)
  if (signal === null) throw new CommandError(`no worker can be started any more; the last one said: ${hope.reason()}`)
}

async function start(config: Config, options: ServeOptions, onHopeless: (reason: string) => void) {
  const { installation, workers: count } = options
  const { loadWorkers } = await import('../../app.ts')
  armFailpoint(installation.environment.failpoint)
  const { startWorkers } = await loadWorkers()
  const gguf = options.gguf?.found ?? null
  try {
    return await startWorkers({ count, version: packageVersion(), installation, config, gguf, onHopeless })
  } catch (error) {
    throw explainStartFailure(error, config)
  }
}

/** Where an engine takes fewer requests at a time than there are workers, each worker may send it one all the same. */
function warnOfFewPlaces({ engines }: Config, { installation, workers }: ServeOptions): void {
  for (const { id, maxConcurrency } of engines) {
    if (maxConcurrency >= workers) continue
    installation.ground.logger.warn('workers.exceed_concurrency', { engine: id, maxConcurrency, workers })
  }
}

/** Between the end of one worker and the start of the next nothing else keeps this process running. */
function keepAlive(): NodeJS.Timeout {
  return setInterval(() => undefined, 60_000)
}

interface Hope {
  readonly lost: Promise<null>
  readonly lose: (reason: string) => void
  reason(): string
}

function createHope(): Hope {
  let last = ''
  let resolveLost: (nothing: null) => void = () => undefined
  const lost = new Promise<null>(resolve => {
    resolveLost = resolve
  })
  return {
    lost,
    lose(reason) {
      last = reason
      resolveLost(null)
    },
    reason: () => last,
  }
}
