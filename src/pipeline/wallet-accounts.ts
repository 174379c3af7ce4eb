import { GatewayError } from '../core/gateway-error.ts'
import type { Account } from '../domain/identity/types.ts'
import { refill, type TokenBucket, take } from '../lib/token-bucket.ts'
import { type AccountDependencies, openAccount } from './open-account.ts'

/** Wallets cost nothing to make, so that accounts for them are made no faster than this by each process. */
const accountsPerMinuteMax = 60
const retryAfterSeconds = 60

/** Accounts that wallets own: strict ones, without money at first, each named after its wallet's address. */
export interface WalletAccounts {
  /** The account of an address that proved itself. @throws GatewayError rate_limit_exceeded */
  of(address: string): Promise<Account>
}

export function createWalletAccounts(dependencies: AccountDependencies): WalletAccounts {
  const { identity, clock } = dependencies
  let bucket: TokenBucket | null = null

  function takePlace(): void {
    const left = take(refill(bucket, accountsPerMinuteMax, clock.now()), 1)
    if (left === null) {
      const message = 'Too many accounts are being made at the moment: try again in a minute.'
      throw new GatewayError('rate_limit_exceeded', message, { retryAfterSeconds })
    }
    bucket = left
  }

  return {
    async of(address) {
      const name = address.toLowerCase()
      const known = await identity.findAccount(name)
      if (known !== null) return known
      takePlace()
      try {
        return await openAccount(dependencies, { name, mode: 'strict', creditNano: 0n })
      } catch (error) {
        // Two requests of one wallet may come at once; the account that the other one made is as good.
        const made = await identity.findAccount(name)
        if (made === null) throw error
        return made
      }
    },
  }
}
