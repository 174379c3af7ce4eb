import { z } from 'zod'
import type { Amount } from '../../../core/money.ts'
import type { KeyPrivacy, KeyType, LimitPeriod } from '../key-words.ts'
import { checkFields } from './check-fields.ts'
import { custom } from './issues/issue-wording.ts'
import { Problems } from './issues/problems.ts'
import { consumptionLimit, description, expiresAt, keyPrivacy, keyType, limitPeriod } from './key-fields.ts'

/** What is asked for in a new key. */
export interface WantedKey {
  readonly type: KeyType
  readonly label: string
  readonly expiresAtMs: number | null
  readonly limitNano: Amount | null
  readonly limitDiemNano: Amount | null
  readonly period: LimitPeriod
  readonly privacy: KeyPrivacy
}

/** What is to be changed of a key; what is left out stays. */
export type WantedChange = Partial<Omit<WantedKey, 'type'>>

/** Fields that new keys have in common, whoever asks for one. */
export const keySchema = z.strictObject({
  apiKeyType: keyType,
  description,
  expiresAt: expiresAt.nullish(),
  consumptionLimit: consumptionLimit.nullish(),
  limitPeriod: limitPeriod.nullish(),
  modelPrivacy: keyPrivacy.nullish(),
})

/** Body of `POST /api_keys` (venice.md §6.3). @throws GatewayError invalid_parameters */
export function decodeNewKey(body: unknown, nowMs: number): WantedKey {
  return wantedKey(checkFields(keySchema, body), nowMs)
}

/** @throws GatewayError invalid_parameters for a key that would be born expired */
export function wantedKey(fields: z.output<typeof keySchema>, nowMs: number): WantedKey {
  const expiresAtMs = fields.expiresAt ?? null
  refusePast(expiresAtMs, nowMs)
  return {
    type: fields.apiKeyType,
    label: fields.description,
    expiresAtMs,
    limitNano: fields.consumptionLimit?.limitNano ?? null,
    limitDiemNano: fields.consumptionLimit?.limitDiemNano ?? null,
    period: fields.limitPeriod ?? 'epoch',
    privacy: fields.modelPrivacy ?? 'all',
  }
}

export const changeSchema = z.strictObject({
  id: z.string(),
  description: description.nullish(),
  expiresAt: expiresAt.nullish(),
  consumptionLimit: consumptionLimit.nullish(),
  limitPeriod: limitPeriod.nullish(),
  modelPrivacy: keyPrivacy.nullish(),
})

/** Body of `PATCH /api_keys`: the key's id as it was sent, and the change. @throws GatewayError invalid_parameters */
export function decodeKeyChange(body: unknown, nowMs: number): { readonly id: string; readonly change: WantedChange } {
  const fields = checkFields(changeSchema, body)
  refusePast(fields.expiresAt ?? null, nowMs)
  const { limitNano, limitDiemNano } = fields.consumptionLimit ?? {}
  const change = {
    ...(fields.description != null && { label: fields.description }),
    // An empty text, which has become null, says that the key never expires; null itself says nothing.
    ...(wasGiven(body, 'expiresAt') && fields.expiresAt !== undefined && { expiresAtMs: fields.expiresAt }),
    ...(limitNano !== undefined && { limitNano }),
    ...(limitDiemNano !== undefined && { limitDiemNano }),
    ...(fields.limitPeriod != null && { period: fields.limitPeriod }),
    ...(fields.modelPrivacy != null && { privacy: fields.modelPrivacy }),
  }
  return { id: fields.id, change }
}

function wasGiven(body: unknown, name: string): boolean {
  return (body as Readonly<Record<string, unknown>>)[name] != null
}

export const deletedSchema = z.object({ id: z.string() })

/** The id in the query of `DELETE /api_keys`, or else in its body. @throws GatewayError invalid_parameters */
export function decodeDeletedKey(query: unknown, body: unknown): string {
  const inQuery = (query as { readonly id?: unknown }).id
  return checkFields(deletedSchema, inQuery === undefined ? (body ?? {}) : { id: inQuery }).id
}

function refusePast(expiresAtMs: number | null, nowMs: number): void {
  if (expiresAtMs === null || expiresAtMs > nowMs) return
  const problems = new Problems()
  problems.add(['expiresAt'], custom('The expiration must lie in the future'))
  throw problems.toError()
}
