import { ReadingFailure } from '../reading.ts'

/** Share of control characters above which bytes in no known coding are no text. */
const controlShareMax = 0.02
/** What UTF-16 without a mark shows: Latin text has a zero in every other byte. */
const zeroShareMin = 0.3
const sampleBytes = 65_536

/**
 * Text in UTF-8, UTF-16 with or without its mark, or, when it is none of these, Windows-1252, which holds Latin-1.
 * @throws ReadingFailure unsupported, for bytes that are no text
 */
export function decodeText(bytes: Uint8Array): string {
  const marked = markedCoding(bytes)
  if (marked !== null) return decodeAs(marked, bytes)
  const zeros = zeroShares(bytes.subarray(0, sampleBytes))
  if (zeros.odd > zeroShareMin && zeros.even === 0) return decodeAs('utf-16le', bytes)
  if (zeros.even > zeroShareMin && zeros.odd === 0) return decodeAs('utf-16be', bytes)
  if (bytes.includes(0)) throw new ReadingFailure('unsupported')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decodeLatin(bytes)
  }
}

/** The coding that bytes begin with the mark of. */
export function markedCoding(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return null
}

/** Broken sequences become replacement characters: the mark says what the coding is meant to be. */
function decodeAs(coding: string, bytes: Uint8Array): string {
  return new TextDecoder(coding).decode(bytes)
}

function zeroShares(sample: Uint8Array): { readonly even: number; readonly odd: number } {
  const counts = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) counts[at % 2] = (counts[at % 2] ?? 0) + 1
  const half = Math.max(1, sample.length / 2)
  return { even: (counts[0] ?? 0) / half, odd: (counts[1] ?? 0) / half }
}

export function decodeLatin(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, sampleBytes)
  const controls = sample.filter(byte => byte < 0x20 && !isSpacing(byte)).length
  if (controls > sample.length * controlShareMax) throw new ReadingFailure('unsupported')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return text.replace(/[\u0080-\u009f]/g, control => windowsLetters[control.charCodeAt(0) - 0x80] ?? control)
}

/** What Windows-1252 has at 0x80 to 0x9f; Node's own decoder of that name leaves these bytes as controls. */
const windowsLetters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Tab to carriage return, and the escape of coloured terminal output. */
function isSpacing(byte: number): boolean {
  return (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b
}
