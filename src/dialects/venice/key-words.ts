/** This surface's words for what a key is and may do, and the core's (venice.md §6.3). */
export const keyTypes = { INFERENCE: 'inference', ADMIN: 'admin' } as const
export const limitPeriods = { EPOCH: 'epoch', MONTH: 'month', LIFETIME: 'lifetime' } as const
export const keyPrivacies = { ALL: 'all', PRIVATE_TEXT: 'private_text', PRIVATE_ONLY: 'private_only' } as const

export type KeyType = (typeof keyTypes)[keyof typeof keyTypes]
export type LimitPeriod = (typeof limitPeriods)[keyof typeof limitPeriods]
export type KeyPrivacy = (typeof keyPrivacies)[keyof typeof keyPrivacies]
