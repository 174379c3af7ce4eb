import type { Config } from '../config/config.ts'
import { type ConfigFile, type ConfigSurroundings, readConfig, withFound } from './installation-config.ts'
import type { Installation } from './open-installation.ts'

/** A configuration with the file that it was read from. */
export interface LoadedConfig {
  readonly config: Config
  readonly file: ConfigFile
}

/** What a gateway begins with, and how it reads other texts: with its own environment, folders and command line. */
export interface OwnConfig {
  readonly config: Config
  /** Null when no file was read. */
  readonly file: ConfigFile | null
  /** @throws ConfigError */
  readonly load: (file: ConfigFile) => Config
}

/** `complete` adds what the process knows beside the file. */
export function ownConfig(
  installation: Pick<Installation, 'config' | 'file' | 'found'> & ConfigSurroundings,
  complete: (config: Config) => Config,
): OwnConfig {
  const { config, file, found } = installation
  return { config: complete(config), file, load: next => complete(withFound(readConfig(next, installation), found)) }
}
