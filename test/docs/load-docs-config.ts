import type { Config } from '../../src/config/config.ts'
import { loadConfig } from '../../src/config/load-config.ts'

/** Reads a configuration as the gateway does, with an empty environment. @throws ConfigError */
export function loadDocsConfig(text: string, fileName: string): Config {
  return loadConfig(text, {
    fileName,
    lookup: () => undefined,
    folder: '/etc/rialto',
    dataFolder: '/var/lib/rialto',
    adminToken: null,
    createdSeconds: 1_767_225_600,
  })
}
