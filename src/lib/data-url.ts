/** Where a data URL must have declared its type. */
const declarationCharactersMax = 256

const declaration = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^;,]*)*;base64,/i

export interface DataUrl {
  /** In small letters, without parameters. */
  readonly mediaType: string
  /** Where the base64 begins in the text; there is at least one character of it. */
  readonly dataStart: number
}

/** What a base64 data URL declares; null for every other text, and when nothing follows the declaration. */
export function readDataUrl(url: string): DataUrl | null {
  const match = declaration.exec(url.slice(0, declarationCharactersMax))
  if (match?.[1] === undefined || match[0].length === url.length) return null
  return { mediaType: match[1].toLowerCase(), dataStart: match[0].length }
}

/** Bytes that so many characters of base64 stand for, at most. */
export function base64Bytes(characters: number): number {
  return Math.ceil((characters * 3) / 4)
}

/** Base64 in the common alphabet, padded or not. */
const base64 = /^[A-Za-z0-9+/]+={0,2}$/
const looked = 1_024

/**
 * Whether a text may be base64, by its beginning and its end: a look at each of millions of characters would hold up
 * everything else. Whoever decodes it sees the rest.
 */
export function looksLikeBase64(text: string): boolean {
  const edges = text.length <= 2 * looked ? text : text.slice(0, looked) + text.slice(-looked)
  return base64.test(edges)
}
