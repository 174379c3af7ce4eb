import type { Amount } from '../core/money.ts'
import { hashSecretText, issueApiKey } from '../domain/identity/api-key.ts'
import { newOperatorToken } from '../domain/identity/operator-token.ts'
import { type AccountDependencies, openAccount } from './open-account.ts'

const operatorTokenSetting = 'operator_token_hash'

/** What is shown once, at the first start; only hashes are stored (operator.md §1). */
export interface FirstRun {
  readonly inferenceKey: string
  readonly adminKey: string
  readonly operatorToken: string
  /** Zero when the account was there before. */
  readonly creditedNano: Amount
}

export interface FirstRunOptions {
  readonly startingCreditNano: Amount
  readonly keyPrefix: string
  readonly secret: Buffer
}

/**
 * Makes the account `default` with credit, its two keys and the operator's token. Null when that was done before: keys
 * are shown once.
 */
export async function firstRun(dependencies: AccountDependencies, options: FirstRunOptions): Promise<FirstRun | null> {
  const { identity, random, clock } = dependencies
  if ((await identity.readSetting(operatorTokenSetting)) !== null) return null
  const accounts = await identity.listAccounts()
  const existing = accounts.find(account => account.name === 'default')
  const account =
    existing ??
    (await openAccount(dependencies, { name: 'default', mode: 'soft', creditNano: options.startingCreditNano }))
  const issuer = { prefix: options.keyPrefix, secret: options.secret, random, nowMs: clock.now() }
  const inference = issueApiKey({ accountId: account.id, label: 'default inference', type: 'inference' }, issuer)
  const admin = issueApiKey({ accountId: account.id, label: 'default admin', type: 'admin' }, issuer)
  await identity.createKey(inference.key, inference.hash)
  await identity.createKey(admin.key, admin.hash)
  const operatorToken = newOperatorToken(random)
  await identity.writeSetting(operatorTokenSetting, hashSecretText(operatorToken, options.secret).toString('hex'))
  const creditedNano = existing === undefined ? options.startingCreditNano : 0n
  return { inferenceKey: inference.text, adminKey: admin.text, operatorToken, creditedNano }
}

/** The stored hash of the operator's token, 32 bytes; null before the first start. */
export async function operatorTokenHash({ identity }: Pick<AccountDependencies, 'identity'>): Promise<Buffer | null> {
  const stored = await identity.readSetting(operatorTokenSetting)
  return stored === null ? null : Buffer.from(stored, 'hex')
}
