/** Codes of WAV for what is not packed: integers, floats, A-law, µ-law, and the code that stands for one of these. */
const plainCodings: ReadonlySet<number> = new Set([1, 3, 6, 7])
const extensible = 0xfffe
const rateMax = 384_000
const channelsMax = 8
const bitsMax = 64

/** All bytes count as samples, whatever the header says about their number. */
export function countWav(bytes: Buffer): number | null {
  const at = formatChunk(bytes)
  if (at === null) return null
  const code = bytes.readUInt16LE(at)
  const coding = code === extensible ? bytes.readUInt16LE(at + 24) : code
  if (!plainCodings.has(coding)) return null
  const [channels, rate] = [bytes.readUInt16LE(at + 2), bytes.readUInt32LE(at + 4)]
  const [blockBytes, bits] = [bytes.readUInt16LE(at + 12), bytes.readUInt16LE(at + 14)]
  return blockBytes === channels * Math.ceil(bits / 8) ? secondsOf(bytes, { channels, rate, bits }) : null
}

export function countAiff(bytes: Buffer): number | null {
  const at = commonChunk(bytes)
  if (at === null) return null
  const [channels, bits] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 6)]
  return secondsOf(bytes, { channels, bits, rate: readExtended(bytes, at + 8) })
}

interface Samples {
  readonly channels: number
  readonly rate: number
  readonly bits: number
}

function secondsOf(bytes: Buffer, { channels, rate, bits }: Samples): number | null {
  const isPlausible = rate >= 1 && rate <= rateMax && channels >= 1 && channels <= channelsMax
  if (!isPlausible || bits < 1 || bits > bitsMax) return null
  return bytes.length / (rate * channels * Math.ceil(bits / 8))
}

/** Where the description of WAV begins, whose name stands in the file once: of two, players may take either. */
function formatChunk(bytes: Buffer): number | null {
  const at = bytes.indexOf('fmt ', 0, 'latin1')
  return at === -1 || bytes.indexOf('fmt ', at + 1, 'latin1') !== -1 ? null : at + 8
}

/** The same of AIFF, among its chunks: a comment in a tag has the same name. */
function commonChunk(bytes: Buffer): number | null {
  const found: number[] = []
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at + 4)
    if (bytes.toString('latin1', at, at + 4) === 'COMM') found.push(at + 8)
    at += 8 + size + (size % 2)
  }
  return found.length === 1 ? (found[0] ?? null) : null
}

/** A positive number of 80 bits (IEEE 754 extended), as AIFF writes rates. */
function readExtended(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64BE(at + 2)) * 2 ** (bytes.readUInt16BE(at) - 16_383 - 63)
}
