/** Tenths of milliseconds of a frame, by the upper five bits of a packet's first byte. */
const silk = [100, 200, 400, 600]
const frameLengths = [
  ...[...silk, ...silk, ...silk],
  ...[100, 200, 100, 200],
  ...Array.from({ length: 4 }, () => [25, 50, 100, 200]).flat(),
]

/** What players refuse is longer (RFC 6716 §3.4, R5), among it the two packets of text that stand before the sound. */
const packetMax = 1_200

/** What a packet of Opus lasts that begins here (RFC 6716 §3.1). */
export function opusSeconds(bytes: Buffer, at: number): number {
  const head = bytes.readUInt8(at)
  const code = head & 3
  const frames = code === 0 ? 1 : code < 3 ? 2 : (bytes[at + 1] ?? 0) & 63
  const length = (frameLengths[head >> 3] ?? 0) * frames
  return length > packetMax ? 0 : length / 10_000
}
