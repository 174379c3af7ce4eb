import { resolve } from 'node:path'
import type { Installation } from '../../app.ts'
import { Secret } from '../../lib/secret.ts'
import { UsageError } from '../command-error.ts'

/** Options that name the two stores of a move. */
export const placesArguments = {
  from: {
    type: 'string',
    valueHint: 'sqlite:FILE',
    description: 'the store to leave; default: that of the configuration or the data folder',
  },
  to: { type: 'string', valueHint: 'postgres://…', description: 'the empty database to fill' },
  'to-env': {
    type: 'string',
    valueHint: 'NAME',
    description: 'the environment variable that holds the address, so that no list of processes shows the password',
  },
} as const

export interface GivenPlaces {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly 'to-env'?: string | undefined
}

export interface Places {
  readonly path: string
  readonly url: Secret
}

/** @throws UsageError, which never repeats an address: it may hold a password. */
export function findPlaces(given: GivenPlaces, installation: Installation): Places {
  return { path: sourcePath(given.from, installation), url: targetUrl(given, installation) }
}

const sqlitePrefix = 'sqlite:'

function sourcePath(from: string | undefined, { config, dataFolder }: Installation): string {
  if (from === undefined) return config.store.kind === 'sqlite' ? config.store.path : resolve(dataFolder, 'rialto.db')
  const path = from.startsWith(sqlitePrefix) ? from.slice(sqlitePrefix.length) : ''
  if (path === '') throw new UsageError('--from must be sqlite:FILE, such as sqlite:data/rialto.db.')
  return resolve(path)
}

function targetUrl(given: GivenPlaces, { environment }: Installation): Secret {
  const { to, 'to-env': variable } = given
  if (to !== undefined && variable !== undefined) throw new UsageError('Give --to or --to-env, not both.')
  if (to === undefined && variable === undefined) throw new UsageError('--to or --to-env is missing.')
  const text = to ?? environment.lookup(variable ?? '') ?? ''
  if (/^postgres(ql)?:\/\/\S+$/.test(text) && URL.canParse(text)) return new Secret(text)
  const what = to === undefined ? `the variable ${variable}` : '--to'
  throw new UsageError(`${what} must hold an address such as postgres://user:password@host:5432/rialto.`)
}
