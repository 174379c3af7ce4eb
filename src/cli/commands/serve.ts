import type { AddressInfo } from 'node:net'
import { defineCommand } from 'citty'
import type { Gateway, Installation } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { configArgument } from '../common-arguments.ts'
import { print } from '../output.ts'
import { packageVersion } from '../package-version.ts'
import { parsePort } from '../parse-values.ts'
import { explainStartFailure } from '../serve/explain-start-failure.ts'
import { overrideServer, type ServerOverrides } from '../serve/override-server.ts'
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
    const overrides = {
      ...(args.host === undefined ? {} : { host: args.host }),
      ...(args.port === undefined ? {} : { port: parsePort('--port', args.port) }),
    }
    const { openInstallation } = await import('../../app.ts')
    const installation = await openInstallation({ configFile: args.config ?? null, discover: true, logTo: 'stdout' })
    try {
      await serve(installation, overrides)
    } finally {
      await installation.flush()
    }
    return Number(process.exitCode ?? 0)
  },
})

async function serve(installation: Installation, overrides: ServerOverrides): Promise<void> {
  const { watchConfiguration } = await import('../../app.ts')
  const { logger } = installation.ground
  const gateway = await start(overrideServer(installation.config, overrides), installation)
  const watch = watchConfiguration(installation, config => gateway.reload(overrideServer(config, overrides)))
  const end = waitForEnd({ onReload: () => void watch?.reload() })
  const { firstRun, address } = gateway
  print(renderBanner({ installation, firstRun, baseUrl: reachableUrl(address), version: packageVersion() }))
  logger.info('gateway.ready', { host: address.address, port: address.port })
  logger.info('gateway.stopping', { signal: await end })
  watch?.close()
  await gateway.close()
  logger.info('gateway.stopped')
}

async function start(config: Config, { ground }: Installation): Promise<Gateway> {
  const { loadServer } = await import('../../app.ts')
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
