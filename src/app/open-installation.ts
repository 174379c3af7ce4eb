import type { DiscoveryOptions } from '../adapters/engines/discover-engines.ts'
import { openDataFolder } from '../adapters/system/data-folder.ts'
import { type ConfigWatch, watchConfigFile } from '../adapters/system/watch-config-file.ts'
import { keysNeedingRestart } from '../config/changed-keys.ts'
import type { Config } from '../config/config.ts'
import { type Environment, readEnvironment } from '../config/env.ts'
import { configBytesMax } from '../config/load-config.ts'
import type { FoundEngine } from '../core/found-engine.ts'
import { createGround } from './create-ground.ts'
import type { Ground } from './ground.ts'
import { type ConfigFile, readConfig, readFile, withFound } from './installation-config.ts'
import { openSecret, secretFile } from './installation-secret.ts'
import { type LogTarget, openLog } from './open-log.ts'

export interface InstallationOptions {
  /** As given on the command line; null takes ./rialto.yaml where there is one. */
  readonly configFile: string | null
  /** Whether engines are looked for when the configuration names none. */
  readonly discover: boolean
  readonly logTo: LogTarget
}

/** One installation on this machine: its environment, data folder, secret and configuration. */
export interface Installation {
  readonly environment: Environment
  readonly config: Config
  readonly ground: Ground
  readonly dataFolder: string
  /** Null when no file was read. */
  readonly file: ConfigFile | null
  readonly found: readonly FoundEngine[]
  readonly engineSource: 'file' | 'environment' | 'discovered' | 'embedded'
  /** Writes out what is left of the log. */
  flush(): Promise<void>
}

/**
 * Finds what an installation consists of, and makes its data folder and secret at the first time (operator.md §1).
 * @throws ConfigError, EnvironmentError or Error with a text for the operator
 */
export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const environment = readEnvironment()
  const dataFolder = await openDataFolder(environment.dataFolder)
  const secret = await openSecret(environment, dataFolder)
  const log = await openLog(options.logTo, environment)
  if (secret.isExposed) log.logger.warn('secret.exposed', { mend: `chmod 600 ${secretFile} in the data folder` })
  const file = await readFile(options.configFile)
  const configured = readConfig(file, { environment, dataFolder })
  judgeUnsupported(configured)
  const found =
    configured.engines.length === 0 && options.discover
      ? await discoverEngines({ environment, logger: log.logger })
      : []
  return {
    environment,
    config: options.discover ? withFound(configured, found) : configured,
    ground: createGround({ environment, logger: log.logger, secret: secret.text, end: endThisProcess }),
    dataFolder,
    file,
    found,
    engineSource: engineSource(configured, found),
    flush: log.flush,
  }
}

/** Where a configuration names its engines, nothing that looks for others is loaded. */
async function discoverEngines(options: DiscoveryOptions): Promise<readonly FoundEngine[]> {
  const discovery = await import('../adapters/engines/discover-engines.ts')
  return discovery.discoverEngines(options)
}

/**
 * What the file may say already and this version cannot do yet: money that nobody could take is refused.
 * @throws Error
 */
function judgeUnsupported(config: Config): void {
  if (config.payments.x402.enabled) {
    throw new Error('payments.x402.enabled: this version takes no payments by wallet yet. Set it to false.')
  }
}

/** Keeps a running gateway in step with its file. Without a file there is nothing to watch. */
export function watchConfiguration(
  installation: Installation,
  apply: (config: Config, file: ConfigFile) => Promise<void>,
): ConfigWatch | null {
  const { file, config, found, ground } = installation
  if (file === null) return null
  return watchConfigFile<ReadConfig>({
    path: file.path,
    bytesMax: configBytesMax,
    current: { text: file.text, config: { config, file } },
    load: (text, changedSeconds) => {
      const next = { path: file.path, text, changedSeconds }
      return { config: withFound(readConfig(next, installation), found), file: next }
    },
    needsRestart: (atStart, next) => keysNeedingRestart(atStart.config, next.config),
    apply: next => apply(next.config, next.file),
    logger: ground.logger,
  })
}

interface ReadConfig {
  readonly config: Config
  readonly file: ConfigFile
}

/** Whoever runs it takes this for the operator's wish. */
function endThisProcess(): void {
  process.kill(process.pid, 'SIGTERM')
}

const namedByEnvironment: ReadonlySet<string> = new Set(['environment', 'anthropic'])

function engineSource(configured: Config, found: readonly FoundEngine[]): Installation['engineSource'] {
  if (configured.engines.length > 0) return 'file'
  if (found.length === 0) return 'embedded'
  return found.some(({ id }) => namedByEnvironment.has(id)) ? 'environment' : 'discovered'
}
