import type { AddressInfo } from 'node:net'
import { defineCommand } from 'citty'
import type { Gateway, GgufEngine, Installation } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { armFailpoint } from '../../lib/failpoint.ts'
import { configArgument } from '../common-arguments.ts'
import { print } from '../output.ts'
import { packageVersion } from '../package-version.ts'
import { parsePort } from '../parse-values.ts'
import { explainStartFailure } from '../serve/explain-start-failure.ts'
import { renderBanner } from '../serve/render-banner.ts'
import { waitForEnd } from '../serve/wait-for-end.ts'

/** The gateway itself; `npm start` is this. */
export const serveCommand = defineCommand({
  meta: { description: 'Runs the gateway.' },
  args: {
    ...configArgument,
    port: { type: 'string', valueHint: 'N', description: 'instead of server.port (8402); 0 takes any free one' },
    host: { type: 'string', valueHint: 'H', description: 'instead of server.host (127.0.0.1)' },
    gguf: { type: 'string', valueHint: 'FILE', description: 'also run this model with llama.cpp and sell it' },
  },
  async run({ args }) {
    const listen = {
      ...(args.host === undefined ? {} : { host: args.host }),
      ...(args.port === undefined ? {} : { port: parsePort('--port', args.port) }),
    }
    const { loadServer, openInstallation, startGgufEngine } = await import('../../app.ts')
    const options = { configFile: args.config ?? null, discover: true, logTo: 'stdout' } as const
    // The server's code is read from disk while engines are looked for.
    const [installation] = await Promise.all([openInstallation(options), loadServer()])
    const running = new AbortController()
    const gguf = args.gguf === undefined ? null : await startGgufEngine(args.gguf, installation.ground, running.signal)
    try {
      await serve(installation, { listen, gguf })
    } finally {
      await gguf?.stop()
      await installation.flush()
    }
    return Number(process.exitCode ?? 0)
  },
})

/** What the command line says; it wins over the file, also when the file is read again. */
interface Overrides {
  readonly listen: { readonly host?: string; readonly port?: number }
  readonly gguf: GgufEngine | null
}

async function serve(installation: Installation, overrides: Overrides): Promise<void> {
  const { watchConfiguration } = await import('../../app.ts')
  const { logger } = installation.ground
  const complete = await completer(installation, overrides)
  const config = complete(installation.config)
  const gateway = await start(config, installation)
  const watch = watchConfiguration(installation, next => gateway.reload(complete(next)))
  const end = waitForEnd({ onReload: () => void watch?.reload() })
  const { firstRun, address } = gateway
  const baseUrl = reachableUrl(address)
  const gguf = overrides.gguf?.found.models[0]?.id ?? null
  print(renderBanner({ installation, config, gguf, firstRun, baseUrl, version: packageVersion() }))
  logger.info('gateway.ready', { host: address.address, port: address.port })
  logger.info('gateway.stopping', { signal: await end })
  watch?.close()
  await gateway.close()
  logger.info('gateway.stopped')
}

async function completer({ ground }: Installation, { listen, gguf }: Overrides): Promise<(config: Config) => Config> {
  const { withGgufEngine } = await import('../../config/with-gguf-engine.ts')
  const startedSeconds = Math.floor(ground.clock.now() / 1_000)
  return config => {
    const listening = { ...config, server: { ...config.server, ...listen } }
    return gguf === null ? listening : withGgufEngine(listening, gguf.found, startedSeconds)
  }
}

async function start(config: Config, { ground, environment }: Installation): Promise<Gateway> {
  const { loadServer } = await import('../../app.ts')
  armFailpoint(environment.failpoint)
  const { startGateway } = await loadServer()
  try {
    return await startGateway(config, ground)
  } catch (error) {
    throw explainStartFailure(error, config)
  }
}

/** An address that works on this machine, also when the gateway listens on all of them. */
function reachableUrl({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  return `http://${family === 'IPv6' && host.includes(':') ? `[${host}]` : host}:${port}`
}
