/** UTF-16 units of one token at most; a pair that would be cut in two makes it one longer. */
const unitsMax = 16

/**
 * Where the token that begins at `start` ends. A token of the test mode is the white space before a word and the word, at
 * most 16 units of it, so that everybody can count along. `start` is before the end of the text.
 */
export function tokenEnd(text: string, start: number): number {
  const limit = Math.min(text.length, start + unitsMax)
  let at = start
  while (at < limit && isSpace(text.charCodeAt(at))) at++
  while (at < limit && !isSpace(text.charCodeAt(at))) at++
  const splitsPair = isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at))
  return splitsPair ? at + 1 : at
}

/** Counts no further than to the limit. */
export function countTokens(text: string, limit = Number.POSITIVE_INFINITY): number {
  let tokens = 0
  for (let at = 0; at < text.length && tokens < limit; at = tokenEnd(text, at)) tokens++
  return tokens
}

export function splitTokens(text: string): string[] {
  const tokens: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = tokenEnd(text, at)
    tokens.push(text.slice(at, end))
    at = end
  }
  return tokens
}

/** Blanks, line ends and other control characters. */
function isSpace(unit: number): boolean {
  return unit <= 0x20
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
