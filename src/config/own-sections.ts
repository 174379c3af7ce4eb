import { createHash } from 'node:crypto'
import type { Config } from './config.ts'
import { readYamlTree } from './text/yaml-tree.ts'

/**
 * Sections that say where and how one gateway runs. Each takes them from its own file; everything else is the same for all
 * gateways on a store. Whatever needs a restart (see changed-keys.ts) lies in them.
 */
const ownSections = ['server', 'store', 'keys', 'metrics'] as const

/** A configuration that all gateways follow, at the place of this one. */
export function withOwnSections(shared: Config, own: Config): Config {
  const { server, store, keys, metrics } = own
  return { ...shared, server, store, keys, metrics }
}

/**
 * Equal for texts that say the same outside of a gateway's own sections, whatever their comments and their order of keys.
 * References to the environment count as they are written. For texts that were found valid.
 */
export function fingerprintOf(text: string): string {
  const { value } = readYamlTree(text)
  const shared = Object.entries(value ?? {}).filter(([key]) => !ownSections.some(section => section === key))
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(shared), sortKeys))
    .digest('hex')
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
}
