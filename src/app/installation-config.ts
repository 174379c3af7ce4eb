import { dirname, resolve } from 'node:path'
import { readConfigFile } from '../adapters/system/config-file.ts'
import { systemClock } from '../adapters/system/system-clock.ts'
import type { Config } from '../config/config.ts'
import { withFoundEngines } from '../config/default-config.ts'
import type { Environment } from '../config/env.ts'
import { configBytesMax, loadConfig } from '../config/load-config.ts'
import type { FoundEngine } from '../core/found-engine.ts'

const defaultConfigFile = 'rialto.yaml'

export interface ConfigFile {
  /** Absolute. Relative paths in the text start from its folder. */
  readonly path: string
  /** How messages call the text, where it is not the one of the file. */
  readonly name?: string
  readonly text: string
  /** Unix seconds of its last change. */
  readonly changedSeconds: number
}

/** The file that was asked for, else `rialto.yaml` in the working folder, where there is one. @throws Error */
export async function readFile(asked: string | null): Promise<ConfigFile | null> {
  const path = resolve(asked ?? defaultConfigFile)
  const file = await readConfigFile(path, configBytesMax)
  if (file === null && asked !== null) throw new Error(`There is no configuration file ${path}.`)
  return file === null ? null : { path, ...file }
}

/** What a configuration's text is read with. */
export interface ConfigSurroundings {
  readonly environment: Environment
  readonly dataFolder: string
}

/** @throws ConfigError */
export function readConfig(file: ConfigFile | null, { environment, dataFolder }: ConfigSurroundings): Config {
  return loadConfig(file?.text ?? '', {
    fileName: file?.name ?? file?.path ?? defaultConfigFile,
    lookup: environment.lookup,
    folder: file === null ? process.cwd() : dirname(file.path),
    dataFolder,
    adminToken: environment.adminToken,
    createdSeconds: file?.changedSeconds ?? nowSeconds(),
  })
}

/** A configuration that names no engine takes those that were found. */
export function withFound(config: Config, found: readonly FoundEngine[]): Config {
  return config.engines.length === 0 ? withFoundEngines(config, found, nowSeconds()) : config
}

function nowSeconds(): number {
  return Math.floor(systemClock.now() / 1_000)
}
