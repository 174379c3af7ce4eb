import { GatewayError } from '../../../core/gateway-error.ts'
import type { Model } from '../../../core/model.ts'

/** Kinds of models that this surface knows by name; a gateway may have none of a kind. */
export const modelTypes = [
  'asr',
  'embedding',
  'image',
  'music',
  'text',
  'tts',
  'upscale',
  'inpaint',
  'video',
  'decision',
  'all',
  'code',
] as const

type ModelType = (typeof modelTypes)[number]

/** The query's `type`; without one it is text (venice.md §8). @throws GatewayError invalid_parameters */
export function readModelType(value: unknown): ModelType {
  if (value === undefined) return 'text'
  const type = modelTypes.find(known => known === value)
  if (type !== undefined) return type
  const message = `Invalid input. Expected one of: ${modelTypes.join(', ')}`
  throw new GatewayError('invalid_parameters', message, {
    issues: [{ path: ['type'], message, facts: { code: 'invalid_union' } }],
  })
}

/** `code` are the text models that were made for it. */
export function isOfType({ type, capabilities }: Model, asked: ModelType): boolean {
  if (asked === 'all') return true
  return asked === 'code' ? capabilities.optimizedForCode : type === asked
}
