import type { AccountId, KeyId } from './ids.ts'

export type AccountMode = 'soft' | 'strict'
export type KeyPrivacy = 'all' | 'private_text' | 'private_only'

/** Who calls. Rights and limits that decide about money are read again, authoritatively, by admission. */
export interface Principal {
  readonly accountId: AccountId
  readonly accountName: string
  readonly keyId: KeyId
  readonly keyType: 'inference' | 'admin'
  /** Model ids that the key may use; null means all. */
  readonly allowedModels: ReadonlySet<string> | null
  /** Which models the key's holder allows for it by where prompts go. */
  readonly privacy: KeyPrivacy
  /** Whether the account is subscribed. */
  readonly pro: boolean
}
