import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import type { Config } from '../../src/config/config.ts'
import { loadConfig } from '../../src/config/load-config.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A file of the repository, by its path from the root. */
export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

export function readYaml<Value>(path: string): Value {
  return parse(readText(path), { merge: true }) as Value
}

/** A rialto.yaml as a gateway reads it that has these variables. @throws ConfigError */
export function loadWith(text: string, variables: Readonly<Record<string, string>>): Config {
  return loadConfig(text, {
    fileName: 'rialto.yaml',
    lookup: name => variables[name],
    folder: '/etc/rialto',
    dataFolder: '/var/lib/rialto',
    adminToken: null,
    createdSeconds: 1_767_225_600,
  })
}

/** A number that a source file names as a constant of its own. @throws Error when it has none of that name */
export function constantOf(path: string, name: string): number {
  const digits = new RegExp(`^const ${name} = ([\\d_]+)$`, 'm').exec(readText(path))?.[1]
  if (digits === undefined) throw new Error(`${path} has no constant ${name}`)
  return Number(digits.replaceAll('_', ''))
}

/** How long a gateway may take to end: it drains, cuts what is left, and closes its connections. */
export function longestStopSeconds(): number {
  const path = 'src/server/drain.ts'
  return (constantOf(path, 'drainMs') + 2 * constantOf(path, 'cutMs')) / 1_000
}

/** What a supervisor waits beyond that, for the store to be closed and the process to end. */
export const stopMarginSeconds = 20
