import type { Clock } from '../core/clock.ts'
import type { CreditCurrency } from '../core/currency.ts'
import { GatewayError } from '../core/gateway-error.ts'
import { newId } from '../core/ids.ts'
import type { Amount } from '../core/money.ts'
import type { AccountMode } from '../core/principal.ts'
import type { Random } from '../core/random.ts'
import { StoreConflict } from '../core/store-error.ts'
import type { IdentityStore } from '../domain/identity/identity-store.ts'
import type { Account } from '../domain/identity/types.ts'
import type { LedgerStore } from '../domain/ledger/ledger-store.ts'
import type { Transfer } from '../domain/ledger/types.ts'

export interface AccountDependencies {
  readonly identity: IdentityStore
  readonly ledger: LedgerStore
  readonly clock: Clock
  readonly random: Random
}

export interface AccountOrder {
  readonly name: string
  readonly mode: AccountMode
  readonly creditNano: Amount
}

const nameSyntax = /^[\p{L}\p{N}][\p{L}\p{N}._@ -]{0,99}$/u

/** Opens an account and grants its first credit. @throws GatewayError invalid_value for a bad or taken name */
export async function openAccount(dependencies: AccountDependencies, order: AccountOrder): Promise<Account> {
  const { identity, clock, random } = dependencies
  if (!nameSyntax.test(order.name)) {
    throw new GatewayError(
      'invalid_value',
      'An account name is 1 to 100 letters, digits, spaces or any of . _ @ -, and begins with a letter or digit.',
    )
  }
  const account: Account = {
    id: newId('acc', random),
    name: order.name,
    mode: order.mode,
    pro: false,
    diemPerDayNano: 0n,
    createdAtMs: clock.now(),
  }
  try {
    await identity.createAccount(account)
  } catch (error) {
    if (error instanceof StoreConflict)
      throw new GatewayError('invalid_value', `There is an account named ${order.name} already.`)
    throw error
  }
  if (order.creditNano > 0n) await creditStart(dependencies, account, order.creditNano)
  return account
}

/** The credit that an account begins with, at most once. */
export async function creditStart(
  dependencies: AccountDependencies,
  account: Account,
  amountNano: Amount,
): Promise<void> {
  const idempotencyKey = `start:${account.id}`
  await creditAccount(dependencies, { account, amountNano, note: 'starting credit', idempotencyKey })
}

export interface CreditOrder {
  readonly account: Account
  readonly amountNano: Amount
  /** Dollars when left out. */
  readonly currency?: CreditCurrency
  readonly note: string
  /** The same key with the same content credits once. */
  readonly idempotencyKey: string
}

/** A manual top-up. @throws StoreConflict when the key stands for another credit */
export async function creditAccount(
  { ledger, clock, random }: AccountDependencies,
  order: CreditOrder,
): Promise<{ readonly transferId: string; readonly repeated: boolean }> {
  const transfer: Transfer = {
    id: newId('xfer', random),
    code: 'grant',
    debit: 'funding:manual',
    credit: `customer:${order.account.id}`,
    currency: order.currency ?? 'usd',
    amountNano: order.amountNano,
    holdId: null,
    note: order.note,
    idempotencyKey: `credit:${order.idempotencyKey}`,
    createdAtMs: clock.now(),
  }
  return ledger.post(transfer)
}
