import type { Config } from '../../config/config.ts'

/** What the command line says about where to listen; it wins over the file, also when the file is read again. */
export interface ServerOverrides {
  readonly host?: string
  readonly port?: number
}

export function overrideServer(config: Config, overrides: ServerOverrides): Config {
  return { ...config, server: { ...config.server, ...overrides } }
}
