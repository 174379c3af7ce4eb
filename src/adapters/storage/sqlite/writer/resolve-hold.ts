import { giveBackUnused } from '../../../../domain/limits/give-back-unused.ts'
import type { AccountRow } from './account-rows.ts'
import { bookCharge } from './book-charge.ts'
import type { OpenHold } from './hold-rows.ts'
import type { KeyRow } from './key-rows.ts'
import type { LedgerUnit } from './ledger-unit.ts'
import type { Resolution } from './record-rows.ts'

export interface HoldResolution extends Resolution {
  readonly account: AccountRow
  readonly tokensUsed: number
  readonly atMs: number
}

/** Lets a hold go, posts what it is charged, returns unused rate tokens and writes the usage record: all, or the group fails. */
export function resolveHold(unit: LedgerUnit, resolution: HoldResolution): void {
  const { account, hold, atMs } = resolution
  const key = unit.keys.find(hold.keyId)
  unit.resolve(resolution, account.balanceNano)
  account.heldNano -= hold.amountNano
  account.openHolds -= 1
  unit.accounts.markChanged(account)
  if (key !== null) {
    key.heldNano -= hold.amountNano
    key.openHolds -= 1
    unit.keys.markChanged(key)
    returnTokens(unit, { hold, key, tokensUsed: resolution.tokensUsed, atMs })
  }
  bookCharge(unit, {
    account,
    keyId: hold.keyId,
    holdSeq: hold.seq,
    line: 'usage',
    amountNano: resolution.costNano,
    atMs,
  })
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
