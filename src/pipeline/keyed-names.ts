import { createHmac } from 'node:crypto'
import type { AccountId } from '../core/ids.ts'

/** What a name outside stands for; names of one kind say nothing about those of another. */
type NameKind = 'end-user' | 'account-cache' | 'budget-user'

/**
 * A name that stands for somebody's own name within an account: 64 hexadecimal digits that only this
 * installation can make. Nobody's own name leaves, and equal names of two accounts are not equal outside.
 */
export function keyedName(secret: Buffer, kind: NameKind, accountId: AccountId, name: string): string {
  return createHmac('sha256', secret).update(`${kind} ${accountId.length}:${accountId}${name}`).digest('hex')
}

/** Accounts must not be able to probe each other's cache, so a name means something only within its account (venym.md §2.4). */
export function keyedCacheName(secret: Buffer, accountId: AccountId, name: string): string {
  return createHmac('sha256', secret).update(`${accountId.length}:${accountId}${name}`).digest('hex')
}
