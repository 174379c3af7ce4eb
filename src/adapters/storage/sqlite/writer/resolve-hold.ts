import { type CurrencyParts, payFrom, sumOfParts } from '../../../../core/currency.ts'
import { giveBackUnused } from '../../../../domain/limits/give-back-unused.ts'
import { releaseFunds } from './account-funds.ts'
import type { AccountRow } from './account-rows.ts'
import { bookCharge } from './book-charge.ts'
import type { OpenHold } from './hold-rows.ts'
import type { KeyRow } from './key-rows.ts'
import type { LedgerUnit } from './ledger-unit.ts'
import type { Resolution } from './record-rows.ts'

export interface HoldResolution extends Omit<Resolution, 'paid'> {
  readonly account: AccountRow
  readonly tokensUsed: number
  readonly atMs: number
}

/**
 * Lets a hold go, posts what it is charged, returns unused rate tokens and writes the usage record: all, or the group
 * fails. Returns what was not paid in dollars.
 */
export function resolveHold(unit: LedgerUnit, resolution: HoldResolution): CurrencyParts | null {
  const { account, hold, costNano, atMs } = resolution
  const paid = payFrom(hold.parts, costNano)
  const key = unit.keys.find(hold.keyId)
  unit.resolve({ ...resolution, paid }, account.balanceNano)
  releaseFunds(account, hold.amountNano, hold.parts)
  account.openHolds -= 1
  unit.accounts.markChanged(account)
  if (key !== null) {
    const diemNano = hold.parts?.diemNano ?? 0n
    key.heldNano -= hold.amountNano - diemNano
    key.heldDiemNano -= diemNano
    key.openHolds -= 1
    unit.keys.markChanged(key)
    returnTokens(unit, { hold, key, tokensUsed: resolution.tokensUsed, atMs })
  }
  bookCharge(unit, {
    account,
    keyId: hold.keyId,
    holdSeq: hold.seq,
    line: 'usage',
    usdNano: costNano - sumOfParts(paid),
    parts: paid,
    atMs,
  })
  return paid
}

interface ReturnedTokens {
  readonly hold: OpenHold
  readonly key: KeyRow
  readonly tokensUsed: number
  readonly atMs: number
}

function returnTokens(unit: LedgerUnit, { hold, key, tokensUsed, atMs }: ReturnedTokens): void {
  const tokens = { taken: hold.tokensTaken, used: tokensUsed, nowMs: atMs }
  if (hold.tokensPerMinute !== 'unlimited') {
    const bucket = unit.buckets.ofModel(hold.accountNo, hold.model)
    bucket.tokens = giveBackUnused(bucket.tokens, hold.tokensPerMinute, tokens)
    unit.buckets.markChanged(bucket)
  }
  if (key.rates.tokensPerMinute !== 'unlimited') {
    const bucket = unit.buckets.ofKey(key.no)
    bucket.tokens = giveBackUnused(bucket.tokens, key.rates.tokensPerMinute, tokens)
    unit.buckets.markChanged(bucket)
  }
}
