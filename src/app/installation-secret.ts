import { resolve } from 'node:path'
import { cryptoRandom } from '../adapters/system/crypto-random.ts'
import { readOrCreateSecret } from '../adapters/system/secret-file.ts'
import type { Environment } from '../config/env.ts'

export const secretFile = 'secret.key'

export interface InstallationSecret {
  readonly text: string
  /** True when others on this machine may read its file. */
  readonly isExposed: boolean
}

/** That of the environment, else the one in the data folder, which is made at the first time (operator.md §1). */
export async function openSecret({ secret }: Environment, dataFolder: string): Promise<InstallationSecret> {
  if (secret !== null) return { text: secret.reveal(), isExposed: false }
  const stored = await readOrCreateSecret(resolve(dataFolder, secretFile), cryptoRandom)
  return { text: stored.secret.reveal(), isExposed: stored.isExposed }
}
