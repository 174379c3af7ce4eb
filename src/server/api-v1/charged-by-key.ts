import type { AccountId, KeyId } from '../../core/ids.ts'
import type { Amount } from '../../core/money.ts'
import type { UsageStore } from '../../domain/usage/usage-store.ts'

const dayMs = 86_400_000
const trailingDays = 7
const keysMax = 10_000

/** Everything but DIEM counts as dollars. */
export interface ChargedToKey {
  readonly usdNano: Amount
  readonly diemNano: Amount
}

/** What each key of an account was charged on the last seven days in UTC, today included. */
export async function chargedByKey(
  usage: Pick<UsageStore, 'summarise'>,
  accountId: AccountId,
  nowMs: number,
): Promise<ReadonlyMap<KeyId, ChargedToKey>> {
  const toDay = Math.floor(nowMs / dayMs)
  const { groups } = await usage.summarise({
    ...{ accountId, keyId: null, model: null, outcome: null },
    fromDay: toDay - trailingDays + 1,
    toDay,
    by: ['key'],
    limit: keysMax,
  })
  return new Map(
    groups.flatMap(({ keyId, costNano, diemNano }) =>
      keyId === null ? [] : [[keyId, { usdNano: costNano - diemNano, diemNano }] as const],
    ),
  )
}
