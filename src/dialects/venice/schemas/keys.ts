import { z } from 'zod'
import { keyPrivacies, keyTypes, limitPeriods } from '../key-words.ts'

/** What `encode-keys.ts` writes (venice.md §6.3, §6.4). */

const time = z.iso.datetime().nullable()
const limit = z.number().min(0).nullable()
const limits = z.object({ usd: limit, diem: limit, vcu: limit })
const decimal = z.string().regex(/^-?\d+\.\d{4,}$/)

const told = {
  id: z.uuid(),
  apiKeyType: wordOf(keyTypes),
  description: z.string(),
  expiresAt: time,
  limitPeriod: wordOf(limitPeriods),
  modelPrivacy: wordOf(keyPrivacies),
}

const listed = { ...told, createdAt: time, lastUsedAt: time, last6Chars: z.string(), consumptionLimits: limits }

const key = z
  .object({
    ...listed,
    usage: z.object({ trailingSevenDays: z.object({ usd: decimal, vcu: decimal, diem: decimal }) }),
    currentPeriodUsage: z.object({ usd: z.number(), diem: z.number() }).optional().describe('For keys with a limit.'),
  })
  .meta({ id: 'ApiV1Key' })

export const keyList = z.object({ object: z.literal('list'), data: z.array(key) }).meta({ id: 'ApiV1KeyList' })

export const oneKey = z.object({ data: key }).meta({ id: 'ApiV1OneKey' })

const success = z.literal(true)

export const newKey = z
  .object({
    success,
    data: z.object({ ...told, apiKey: z.string().describe('Shown once.'), consumptionLimit: limits }),
  })
  .meta({ id: 'ApiV1NewKey' })

export const changedKey = z.object({ success, data: z.object(listed) }).meta({ id: 'ApiV1ChangedKey' })

export const deletedKey = z.object({ success }).meta({ id: 'ApiV1DeletedKey' })

export const walletToken = z
  .object({ success, data: z.object({ token: z.string().describe('To be signed by the wallet (EIP-191).') }) })
  .meta({ id: 'ApiV1WalletToken' })

function wordOf(words: Readonly<Record<string, string>>) {
  return z.enum(Object.keys(words))
}
