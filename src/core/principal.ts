import type { AccountId, KeyId } from './ids.ts'

export type AccountMode = 'soft' | 'strict'

/** Who calls. Rights and limits that decide about money are read again, authoritatively, by admission. */
export interface Principal {
  readonly accountId: AccountId
  readonly accountName: string
  readonly keyId: KeyId
  readonly keyType: 'inference' | 'admin'
  /** Model ids that the key may use; null means all. */
  readonly allowedModels: ReadonlySet<string> | null
}
