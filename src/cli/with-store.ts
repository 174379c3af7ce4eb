import type { Ground, Installation, openStore } from '../app.ts'
import type { Account } from '../domain/identity/types.ts'
import { suggest } from '../lib/edit-distance.ts'
import type { AccountDependencies } from '../pipeline/open-account.ts'
import { CommandError } from './command-error.ts'

export type Storage = Awaited<ReturnType<typeof openStore>>

export interface StoreContext {
  readonly installation: Installation
  readonly ground: Ground
  readonly storage: Storage
  /** What the use cases around accounts need. */
  readonly accounts: AccountDependencies
}

export interface StoreOptions {
  readonly config?: string | undefined
}

/** Runs the task on the installation's store, beside a running gateway or without one, and closes it in any case. */
export async function withStore<Result>(
  { config = undefined }: StoreOptions,
  task: (context: StoreContext) => Promise<Result>,
): Promise<Result> {
  const { openInstallation, openStore } = await import('../app.ts')
  const installation = await openInstallation({ configFile: config ?? null, discover: false, logTo: 'silent' })
  const { ground } = installation
  const storage = await openStore(installation.config, ground, 'command')
  const { identity, ledger } = storage
  const accounts = { identity, ledger, clock: ground.clock, random: ground.random }
  try {
    return await task({ installation, ground, storage, accounts })
  } finally {
    await storage.close()
  }
}

/** The account of that name or id. @throws CommandError that names the account that was probably meant */
export async function accountNamed({ storage }: StoreContext, name: string): Promise<Account> {
  const account = await storage.identity.findAccount(name)
  if (account !== null) return account
  const names = (await storage.identity.listAccounts()).map(known => known.name)
  const meant = suggest(name, names)
  const hint = meant === null ? 'rialto account list shows what there is.' : `Did you mean "${meant}"?`
  throw new CommandError(`There is no account "${name}". ${hint}`)
}
