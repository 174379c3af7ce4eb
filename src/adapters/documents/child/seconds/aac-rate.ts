/** Samples a second, by the four bits that stand for them. */
export const aacRates = [
  ...[96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000],
  ...[22_050, 16_000, 12_000, 11_025, 8_000, 7_350],
]
/** Of MPEG-4 sound (ISO 14496-3): Main, Low Complexity, and both with what blows up their rate, not their time. */
const kinds: ReadonlySet<number> = new Set([1, 2, 5, 29])
const mpeg4Sound = 0x40
const streamTag = 3
const decoderTag = 4
const specificTag = 5

/** Samples a second that a file's description of AAC gives for what is decoded; null where it is something else. */
export function aacRate(description: Buffer): number | null {
  const at = description.indexOf('esds', 0, 'latin1')
  if (at === -1 || description.indexOf('esds', at + 1, 'latin1') !== -1) return null
  const stream = descriptor(description.subarray(at + 8), streamTag)
  const decoder = descriptor(stream.subarray(3), decoderTag)
  if (stream.readUInt8(2) > 0x1f || decoder.readUInt8(0) !== mpeg4Sound) return null
  const config = descriptor(decoder.subarray(13), specificTag).readUInt16BE(0)
  return kinds.has(config >> 11) ? (aacRates[(config >> 7) & 15] ?? null) : null
}

/** The content of a descriptor (ISO 14496-1 §8.3.3), whose length has 7 bits a byte. @throws RangeError */
function descriptor(bytes: Buffer, tag: number): Buffer {
  if (bytes.readUInt8(0) !== tag) throw new RangeError('another descriptor')
  let length = 0
  for (let at = 1; at < 5; at++) {
    const byte = bytes.readUInt8(at)
    length = length * 128 + (byte & 0x7f)
    if (byte < 0x80) return bytes.subarray(at + 1, at + 1 + length)
  }
  throw new RangeError('no length')
}
