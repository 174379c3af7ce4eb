import { z } from 'zod'

/**
 * The kinds of field that the query of an address is made of. A field that is there without a text says nothing, as if it
 * were left out.
 */

/** A whole number; another text is judged as the text that it is. */
export function queryNumber(min: number, max: number) {
  return optional(
    z.preprocess(
      value => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
      z.int().min(min).max(max),
    ),
  )
}

export function queryText(charactersMax: number) {
  return optional(z.string().max(charactersMax))
}

export function queryWord<const Words extends readonly string[]>(words: Words) {
  return optional(z.enum(words))
}

/** `true` or `false`. */
export function queryFlag() {
  return optional(z.enum(['true', 'false']).transform(word => word === 'true'))
}

/** Several words: the field repeated, or one text with commas, or both. */
export function queryWords(itemsMax: number, charactersMax: number) {
  return optional(z.preprocess(splitWords, z.array(z.string().max(charactersMax)).max(itemsMax)))
}

function splitWords(value: unknown): unknown {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value]
  return texts.flatMap(text => (typeof text === 'string' ? text.split(',').filter(word => word !== '') : [text]))
}

function optional<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(value => (value === '' ? undefined : value), schema.optional())
}
