import type { Amount } from '../core/money.ts'
import { hashSecretText, issueApiKey } from '../domain/identity/api-key.ts'
import { newOperatorToken } from '../domain/identity/operator-token.ts'
import type { Account } from '../domain/identity/types.ts'
import { type AccountDependencies, creditStart, openAccount } from './open-account.ts'

const operatorTokenSetting = 'operator_token_hash'
const begunSetting = 'first_run_begun'
const defaultName = 'default'

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
 * are shown once. Of several gateways that start together on an empty store one shows keys; those of the others, which
 * nobody saw, are revoked.
 */
export async function firstRun(dependencies: AccountDependencies, options: FirstRunOptions): Promise<FirstRun | null> {
  const { identity, random, clock } = dependencies
  const { secret, keyPrefix, startingCreditNano } = options
  if ((await identity.readSetting(operatorTokenSetting)) !== null) return null
  const { account, creditedNano } = await defaultAccount(dependencies, startingCreditNano)
  const issuer = { prefix: keyPrefix, secret, random, nowMs: clock.now() }
  const inference = issueApiKey({ accountId: account.id, label: 'default inference', type: 'inference' }, issuer)
  const admin = issueApiKey({ accountId: account.id, label: 'default admin', type: 'admin' }, issuer)
  for (const { key, hash } of [inference, admin]) await identity.createKey(key, hash)
  const operatorToken = newOperatorToken(random)
  const hash = hashSecretText(operatorToken, secret).toString('hex')
  if ((await identity.keepSetting(operatorTokenSetting, hash)) !== hash) {
    for (const { key } of [inference, admin]) await identity.revokeKey(key.id, clock.now())
    return null
  }
  return { inferenceKey: inference.text, adminKey: admin.text, operatorToken, creditedNano }
}

/**
 * The account `default` with what the first start gives it. One that the operator made before gets nothing; one of a first
 * start that broke off, or that another gateway makes at this moment, gets what it still lacks.
 */
async function defaultAccount(
  dependencies: AccountDependencies,
  creditNano: Amount,
): Promise<{ readonly account: Account; readonly creditedNano: Amount }> {
  const { identity } = dependencies
  const existing = await identity.findAccount(defaultName)
  if (existing !== null && (await identity.readSetting(begunSetting)) === null)
    return { account: existing, creditedNano: 0n }
  await identity.writeSetting(begunSetting, 'yes')
  const account = existing ?? (await openOrFind(dependencies))
  if (creditNano > 0n) await creditStart(dependencies, account, creditNano)
  return { account, creditedNano: creditNano }
}

async function openOrFind(dependencies: AccountDependencies): Promise<Account> {
  try {
    return await openAccount(dependencies, { name: defaultName, mode: 'soft', creditNano: 0n })
  } catch (error) {
    const account = await dependencies.identity.findAccount(defaultName)
    if (account === null) throw error
    return account
  }
}

/** The stored hash of the operator's token, 32 bytes; null before the first start. */
export async function operatorTokenHash({ identity }: Pick<AccountDependencies, 'identity'>): Promise<Buffer | null> {
  const stored = await identity.readSetting(operatorTokenSetting)
  return stored === null ? null : Buffer.from(stored, 'hex')
}
