import type { OwnConfig } from '../../app.ts'
import { armFailpoint } from '../../lib/failpoint.ts'
import { announce, completer } from './announce.ts'
import { explainStartFailure } from './explain-start-failure.ts'
import type { ServeOptions } from './serve-options.ts'
import { createEndSignal, keepWishes } from './wait-for-end.ts'

/** The gateway in this one process, until it is told to end. */
export async function serveAlone(options: ServeOptions): Promise<void> {
  const { installation } = options
  const { logger } = installation.ground
  const { ownConfig, watchConfiguration } = await import('../../app.ts')
  const complete = await completer(options)
  const own = ownConfig(installation, complete)
  const passOn = keepWishes()
  const end = createEndSignal()
  const gateway = await start(own, options, end.expect)
  const watch = watchConfiguration(installation, (next, file) => gateway.reload({ config: complete(next), file }))
  passOn({
    onReload: () => void watch?.reload(),
    onReplace: () => logger.warn('workers.none', { mend: 'a rolling restart needs serve --workers 2 or more' }),
  })
  announce(options, own.config, gateway)
  logger.info('gateway.stopping', { signal: await end.came })
  watch?.close()
  await gateway.close()
  logger.info('gateway.stopped')
}

async function start(
  own: OwnConfig,
  { installation: { ground, environment } }: ServeOptions,
  beforeServing: () => void,
) {
  const { loadServer } = await import('../../app.ts')
  armFailpoint(environment.failpoint)
  const { startGateway } = await loadServer()
  try {
    return await startGateway(own, ground, { beforeServing })
  } catch (error) {
    throw explainStartFailure(error, own.config)
  }
}
