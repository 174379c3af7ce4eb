import { dirname, resolve } from 'node:path'
import { discoverEngines } from '../adapters/engines/discover-engines.ts'
import { readConfigFile } from '../adapters/system/config-file.ts'
import { cryptoRandom } from '../adapters/system/crypto-random.ts'
import { openDataFolder } from '../adapters/system/data-folder.ts'
import { createPinoLogger } from '../adapters/system/pino-logger.ts'
import { readOrCreateSecret } from '../adapters/system/secret-file.ts'
import { openStandardOutput } from '../adapters/system/standard-output.ts'
import { systemClock } from '../adapters/system/system-clock.ts'
import { systemTimers } from '../adapters/system/system-timers.ts'
import { type ConfigWatch, watchConfigFile } from '../adapters/system/watch-config-file.ts'
import { keysNeedingRestart } from '../config/changed-keys.ts'
import type { Config } from '../config/config.ts'
import { withFoundEngines } from '../config/default-config.ts'
import { type Environment, readEnvironment } from '../config/env.ts'
import { configBytesMax, loadConfig } from '../config/load-config.ts'
import type { FoundEngine } from '../core/found-engine.ts'
import type { Logger } from '../core/logger.ts'
import type { Ground } from './ground.ts'

const defaultConfigFile = 'rialto.yaml'
const secretFile = 'secret.key'

export interface InstallationOptions {
  /** As given on the command line; null takes ./rialto.yaml where there is one. */
  readonly configFile: string | null
  /** Whether engines are looked for when the configuration names none. */
  readonly discover: boolean
  readonly logTo: 'stdout' | 'silent'
}

/** One installation on this machine: its environment, data folder, secret and configuration. */
export interface Installation {
  readonly environment: Environment
  readonly config: Config
  readonly ground: Ground
  readonly dataFolder: string
  /** Absolute; null when no file was read. */
  readonly configFile: string | null
  readonly configText: string | null
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
  const stored =
    environment.secret === null ? await readOrCreateSecret(resolve(dataFolder, secretFile), cryptoRandom) : null
  const log = openLog(options.logTo, environment)
  if (stored?.isExposed === true)
    log.logger.warn('secret.exposed', { mend: `chmod 600 ${secretFile} in the data folder` })
  const file = await readFile(options.configFile)
  const configured = readConfig(file, { environment, dataFolder })
  judgeUnsupported(configured, environment, log.logger)
  const found =
    configured.engines.length === 0 && options.discover
      ? await discoverEngines({ environment, logger: log.logger })
      : []
  const secret = (stored?.secret ?? environment.secret)?.reveal() ?? ''
  return {
    environment,
    config: complete(configured, found, options.discover),
    ground: createGround(environment, log.logger, secret),
    dataFolder,
    configFile: file?.path ?? null,
    configText: file?.text ?? null,
    found,
    engineSource: engineSource(configured, found),
    flush: log.flush,
  }
}

/**
 * What the file may say already and this version cannot do yet. Money that nobody could take is refused; the rest is said.
 * @throws Error
 */
function judgeUnsupported(config: Config, { anthropicApiKey }: Environment, logger: Logger): void {
  if (config.payments.x402.enabled) {
    throw new Error('payments.x402.enabled: this version takes no payments by wallet yet. Set it to false.')
  }
  if (config.search !== null) logger.warn('config.unsupported', { key: 'search', effect: 'no web search yet' })
  if (anthropicApiKey !== null) {
    logger.warn('config.unsupported', { key: 'ANTHROPIC_API_KEY', effect: 'no engines of this kind yet' })
  }
}

/** Keeps a running gateway in step with its file. Without a file there is nothing to watch. */
export function watchConfiguration(
  installation: Installation,
  apply: (config: Config) => Promise<void>,
): ConfigWatch | null {
  const { configFile, configText, config, ground, environment, dataFolder } = installation
  if (configFile === null) return null
  return watchConfigFile({
    path: configFile,
    bytesMax: configBytesMax,
    current: { text: configText, config },
    load: (text, changedSeconds) => {
      const next = readConfig({ path: configFile, text, changedSeconds }, { environment, dataFolder })
      return complete(next, installation.found, true)
    },
    needsRestart: keysNeedingRestart,
    apply,
    logger: ground.logger,
  })
}

interface ConfigFile {
  readonly path: string
  readonly text: string
  readonly changedSeconds: number
}

async function readFile(asked: string | null): Promise<ConfigFile | null> {
  const path = resolve(asked ?? defaultConfigFile)
  const file = await readConfigFile(path, configBytesMax)
  if (file === null && asked !== null) throw new Error(`There is no configuration file ${path}.`)
  return file === null ? null : { path, ...file }
}

function readConfig(
  file: ConfigFile | null,
  { environment, dataFolder }: Pick<Installation, 'environment' | 'dataFolder'>,
): Config {
  return loadConfig(file?.text ?? '', {
    fileName: file?.path ?? defaultConfigFile,
    lookup: environment.lookup,
    folder: file === null ? process.cwd() : dirname(file.path),
    dataFolder,
    adminToken: environment.adminToken,
    createdSeconds: file?.changedSeconds ?? nowSeconds(),
  })
}

function complete(config: Config, found: readonly FoundEngine[], discover: boolean): Config {
  return config.engines.length === 0 && discover ? withFoundEngines(config, found, nowSeconds()) : config
}

function engineSource(configured: Config, found: readonly FoundEngine[]): Installation['engineSource'] {
  if (configured.engines.length > 0) return 'file'
  if (found.length === 0) return 'embedded'
  return found.some(engine => engine.id === 'environment') ? 'environment' : 'discovered'
}

function createGround(environment: Environment, logger: Logger, secret: string): Ground {
  return {
    clock: systemClock,
    random: cryptoRandom,
    timers: systemTimers,
    logger,
    secret: Buffer.from(secret),
    traceEndpoint: environment.traceEndpoint,
    userAgent: 'rialto',
    onFatal: error => {
      logger.error('store.lost', { error })
      process.exitCode = 1
      process.kill(process.pid, 'SIGTERM')
    },
  }
}

interface Log {
  readonly logger: Logger
  flush(): Promise<void>
}

const nothing = (): void => undefined
const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }

function openLog(logTo: InstallationOptions['logTo'], { logLevel, noColor }: Environment): Log {
  if (logTo === 'silent') return { logger: silentLogger, flush: () => Promise.resolve() }
  const output = openStandardOutput(lostLines => logger.warn('log.lines_lost', { lostLines }))
  const pretty = process.stdout.isTTY === true
  const logger = createPinoLogger({ level: logLevel, pretty, color: pretty && !noColor, clock: systemClock, output })
  return { logger, flush: output.flush }
}

function nowSeconds(): number {
  return Math.floor(systemClock.now() / 1_000)
}
