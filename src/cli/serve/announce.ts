import type { AddressInfo } from 'node:net'
import type { Config } from '../../config/config.ts'
import type { FirstRun } from '../../pipeline/first-run.ts'
import { print } from '../output.ts'
import { packageVersion } from '../package-version.ts'
import { reachableUrl } from './reachable-url.ts'
import { renderBanner } from './render-banner.ts'
import type { ServeOptions } from './serve-options.ts'

export interface Started {
  readonly address: AddressInfo
  readonly firstRun: FirstRun | null
}

/** Tells the operator, and the log, that the gateway serves. */
export function announce(options: ServeOptions, config: Config, { address, firstRun }: Started): void {
  const { installation, workers } = options
  const gguf = options.gguf?.found.models[0]?.id ?? null
  const baseUrl = reachableUrl(address)
  print(renderBanner({ installation, config, gguf, workers, firstRun, baseUrl, version: packageVersion() }))
  installation.ground.logger.info('gateway.ready', { host: address.address, port: address.port, workers })
}

/** Completes what a file says for the gateway as a whole. */
export async function completer({ installation, listen, gguf }: ServeOptions): Promise<(config: Config) => Config> {
  const { completeConfig } = await import('../../app.ts')
  const startedSeconds = Math.floor(installation.ground.clock.now() / 1_000)
  const overrides = { listen, gguf: gguf?.found ?? null, worker: null }
  return config => completeConfig(config, overrides, startedSeconds)
}
