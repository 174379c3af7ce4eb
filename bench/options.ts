import { parseArgs } from 'node:util'
import type { TargetName } from './target.ts'

export interface BenchOptions {
  /** Four scenarios in short windows, at most a minute. */
  isQuick: boolean
  /** Where the figures are written as JSON; null: nowhere. */
  jsonFile: string | null
  targets: TargetName[]
  /** Names of the scenarios to run; null: all. */
  only: string[] | null
}

export const usage = `Usage: npm run bench -- [--quick] [--targets direct,nginx,rialto] [--only json-1k-c64,sse-burst,…] [--json FILE]`

const allTargets: TargetName[] = ['direct', 'nginx', 'rialto']

/** @throws Error with a message for the terminal when an option is not known */
export function readOptions(parameters: string[]): BenchOptions {
  const { values } = parseArgs({
    args: parameters,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      targets: { type: 'string' },
      only: { type: 'string' },
    },
  })
  return {
    isQuick: values.quick,
    jsonFile: values.json ?? null,
    targets: values.targets?.split(',').map(readTarget) ?? allTargets,
    only: values.only?.split(',') ?? null,
  }
}

function readTarget(name: string): TargetName {
  const target = allTargets.find(known => known === name)
  if (target === undefined) throw new Error(`there is no target "${name}": ${allTargets.join(', ')}`)
  return target
}
