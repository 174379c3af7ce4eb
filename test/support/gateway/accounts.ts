import type { InstallationStore, KeyOptions } from './installation-store.ts'
import { type Installation, rialtoJson } from './rialto-command.ts'

export interface AccountOptions {
  /** Dollars. Default 1,000. */
  readonly credit?: number
  /** Default soft, as for every account that an operator makes. */
  readonly mode?: 'soft' | 'strict'
  /** Limits of its first key. */
  readonly key?: KeyOptions
}

export interface Account {
  readonly name: string
  readonly id: string
  readonly key: string
  readonly keyId: string
}

export async function createAccount(
  store: InstallationStore,
  name: string,
  { credit = 1_000, mode = 'soft', key }: AccountOptions,
): Promise<Account> {
  const id = await store.openAccount({ name, credit, mode })
  const issued = await store.issueKey(name, key)
  return { name, id, key: issued.key, keyId: issued.id }
}

/** The same with the operator's own commands. */
export async function createAccountByCommand(
  installation: Installation,
  name: string,
  { credit = 1_000, mode }: Omit<AccountOptions, 'key'> = {},
): Promise<Account> {
  const creditParameters = credit === 0 ? [] : ['--credit', String(credit)]
  const modeParameters = mode === undefined ? [] : ['--mode', mode]
  const create = ['account', 'create', name, ...creditParameters, ...modeParameters]
  const { id } = await rialtoJson<{ id: string }>(installation, create)
  const issued = await issueKey(installation, name)
  return { name, id, key: issued.key, keyId: issued.id }
}

export function issueKey(
  installation: Installation,
  account: string,
  parameters: readonly string[] = [],
): Promise<{ readonly id: string; readonly key: string }> {
  return rialtoJson(installation, ['key', 'create', '--account', account, ...parameters])
}
