const headerBytes = 10

/** Where a file begins behind its ID3v2 tag, which may hold pictures: 0 where there is none. A tag's size has 7 bits a byte. */
export function afterId3(bytes: Uint8Array): number {
  if (bytes.length < headerBytes || bytes[0] !== 0x49 || bytes[1] !== 0x44 || bytes[2] !== 0x33) return 0
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((bytes[at] ?? 0) & 0x7f), 0)
  return Math.min(bytes.length, headerBytes + size)
}
