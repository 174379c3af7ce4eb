const brandLength = 4
const firstBrandAt = 8
const compatibleFrom = 16
/** A list of brands is short; a longer one is a lie. */
const brandsBytesMax = 256

/**
 * The bytes of a moving AVIF, called by the name of the still picture that it holds, too: libvips goes by the first brand
 * alone. Everything else as it is.
 */
export function withStillBrand(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.toString('latin1', 4, firstBrandAt + brandLength) !== 'ftypavis' || !namesStill(file)) return bytes
  const still = Buffer.from(file)
  still.write('avif', firstBrandAt, 'latin1')
  return still
}

function namesStill(file: Buffer): boolean {
  const end = Math.min(file.readUInt32BE(0), brandsBytesMax, file.length)
  for (let at = compatibleFrom; at + brandLength <= end; at += brandLength)
    if (file.toString('latin1', at, at + brandLength) === 'avif') return true
  return false
}
