/** The ASCII bytes that give JSON its structure, and the small readings of them that every reader of bytes shares. */
export const jsonByte = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quote: 0x22,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  capitalE: 0x45,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  letterE: 0x65,
  letterF: 0x66,
  letterN: 0x6e,
  letterT: 0x74,
  letterU: 0x75,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const

export function isJsonSpace(byte: number): boolean {
  return (
    byte === jsonByte.space || byte === jsonByte.lineFeed || byte === jsonByte.carriageReturn || byte === jsonByte.tab
  )
}

/** Whether `word` stands at `from`. The comparison never leaves the buffer: bytes beyond it are equal to nothing. */
export function hasBytesAt(bytes: Buffer, from: number, word: Buffer): boolean {
  for (let index = 0; index < word.length; index++) {
    if (bytes[from + index] !== word[index]) return false
  }
  return true
}

/** After the JSON number that begins at `from` with a digit or a minus; -1 when its spelling is not JSON's. */
export function afterJsonNumber(bytes: Buffer, from: number, end: number): number {
  const whole = bytes[from] === jsonByte.minus ? from + 1 : from
  let at = afterDigits(bytes, whole, end)
  if (at === whole || (bytes[whole] === jsonByte.zero && at > whole + 1)) return -1
  if (at < end && bytes[at] === jsonByte.point) {
    const fraction = at + 1
    at = afterDigits(bytes, fraction, end)
    if (at === fraction) return -1
  }
  if (at < end && (bytes[at] === jsonByte.letterE || bytes[at] === jsonByte.capitalE)) {
    const sign = at + 1 < end ? bytes[at + 1] : undefined
    const exponent = sign === jsonByte.plus || sign === jsonByte.minus ? at + 2 : at + 1
    at = afterDigits(bytes, exponent, end)
    if (at === exponent) return -1
  }
  return at
}

/** The UTF-16 unit that the four hex digits at `from` spell; -1 when there are no four before `end`. */
export function readHexUnit(bytes: Buffer, from: number, end: number): number {
  if (from + 4 > end) return -1
  let unit = 0
  for (let at = from; at < from + 4; at++) {
    const digit = hexDigit(bytes[at] as number)
    if (digit < 0) return -1
    unit = unit * 16 + digit
  }
  return unit
}

function hexDigit(byte: number): number {
  if (byte >= jsonByte.zero && byte <= jsonByte.nine) return byte - jsonByte.zero
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

function afterDigits(bytes: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && (bytes[at] as number) >= jsonByte.zero && (bytes[at] as number) <= jsonByte.nine) at++
  return at
}
