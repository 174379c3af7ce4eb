/**
 * Unicode code points of a text: what people call characters in a limit. A surrogate without its partner counts as one.
 * Text of Latin-1 only, which the engine stores one byte per character, is answered without a look at each.
 */
export function countCodePoints(text: string): number {
  if (!anySurrogate.test(text)) return text.length
  let pairs = 0
  for (let at = 1; at < text.length; at++) {
    if (isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))) pairs++
  }
  return text.length - pairs
}

const anySurrogate = /[\ud800-\udbff]/

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
