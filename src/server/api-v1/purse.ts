import { balancesOf, diemDayAt, diemFree, type OtherFunds } from '../../core/currency.ts'
import { type Amount, maxAmount } from '../../core/money.ts'
import type { Balances } from '../../dialects/venice/encode/balances.ts'
import type { Account } from '../../domain/identity/types.ts'
import type { ServerDependencies } from '../server-dependencies.ts'

/** What an account may pay with. */
export interface Purse {
  readonly balances: Balances
  /** Whether a request that costs next to nothing would be admitted now: open holds count. */
  readonly canPay: boolean
}

/** The balances as they are booked; what running requests hold is still the account's. */
export async function readPurse(
  { ledger, clock }: Pick<ServerDependencies, 'ledger' | 'clock'>,
  account: Pick<Account, 'id'>,
): Promise<Purse> {
  const { balanceNano, heldNano, funds } = await ledger.balance(account.id)
  const nowMs = clock.now()
  return {
    balances: { ...balancesOf(balanceNano, funds, nowMs), diemPerDayNano: funds.diemPerDayNano },
    canPay: balanceNano - heldNano > 0n || freeOthers(funds, nowMs) > 0n,
  }
}

/** What is spent before dollars, and is in nobody's hold. */
function freeOthers(funds: OtherFunds, nowMs: number): Amount {
  const { earnedNano, earnedHeldNano, bundledNano, bundledHeldNano } = funds
  const credits = maxAmount(earnedNano - earnedHeldNano, 0n) + maxAmount(bundledNano - bundledHeldNano, 0n)
  return diemFree(funds, diemDayAt(funds, nowMs)) + credits
}
