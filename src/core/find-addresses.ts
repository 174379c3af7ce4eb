import { isJsonObject, type JsonValue } from '../lib/json.ts'

/** Readers of URLs drop what stands before them, and tabs and line ends within them (WHATWG URL). */
const scheme = /^[\s\p{Cc}]*[a-z][a-z0-9+.\t\n\r-]*:/iu
/** Which no sentence begins with. */
const webScheme = /^[\s\p{Cc}]*(?:https?|ftps?|file|s3|gs):\S/iu
const slash = /[\\/]/

/** `url`, `image_url`, `fileUri`: whatever they hold is meant to be followed, with a scheme or without one. */
const addressKey = /(?:url|uri|href|src)s?$/i
const blank = /^[\s\p{Cc}]*$/u

/**
 * The texts in a value, however deep, that are no words but addresses of any scheme, data URLs included, since some reader
 * would follow them. `key` is the name that the value stands under.
 */
export function findAddresses(value: JsonValue | undefined, key: string): string[] {
  if (typeof value === 'string') return isAddress(value, key) ? [value] : []
  if (Array.isArray(value)) return value.flatMap(element => findAddresses(element, key))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, element]) => findAddresses(element, name))
}

function isAddress(text: string, key: string): boolean {
  if (addressKey.test(key)) return !blank.test(text)
  const end = scheme.exec(text)?.[0].length
  if (end === undefined) return false
  const isLink = key !== 'text' && (slash.test(text.charAt(end)) || webScheme.test(text))
  return isLink || !/\s/.test(text.trim())
}
