const streamInfoBytes = 34
const infoAt = 8
const rates = [0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]

/** CRC-8 of frame headers, for each byte: x⁸ + x² + x + 1. */
const crcOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x80 ? 0x07 : 0)) & 0xff
  return crc
})

/**
 * Every header of a frame that is whole counts, wherever it stands (RFC 9639 §9.1): no player can find more. How many
 * samples there are in all is the file's claim, and is not looked at.
 */
export function countFlac(bytes: Buffer): number | null {
  if ((bytes.readUInt8(4) & 0x7f) !== 0 || bytes.readUIntBE(5, 3) !== streamInfoBytes) return null
  const rate = bytes.readUIntBE(infoAt + 10, 3) >> 4
  if (rate === 0) return null
  let seconds = 0
  let at = bytes.indexOf(0xff, infoAt + streamInfoBytes)
  while (at !== -1) {
    seconds += frameSeconds(bytes, at, rate)
    at = bytes.indexOf(0xff, at + 1)
  }
  return seconds
}

/** 0 where no frame begins. Of two rates the lower one counts. */
function frameSeconds(bytes: Buffer, start: number, fileRate: number): number {
  const [sync, sizes, channels] = [bytes[start + 1] ?? 0, bytes[start + 2] ?? 0, bytes[start + 3] ?? 0]
  if ((sync & 0xfe) !== 0xf8 || (channels & 1) !== 0) return 0
  const [sizeCode, rateCode] = [sizes >> 4, sizes & 15]
  if (sizeCode === 0 || rateCode === 15) return 0
  const sizeAt = start + 4 + numberBytes(bytes[start + 4] ?? 0)
  const rateAt = sizeAt + (sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0)
  const end = rateAt + (rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0)
  if (end >= bytes.length || crc8(bytes, start, end) !== bytes[end]) return 0
  const rate = rateCode < 12 ? (rates[rateCode] ?? 0) : writtenRate(bytes, rateAt, rateCode)
  return blockSize(bytes, sizeAt, sizeCode) / Math.min(fileRate, rate || fileRate)
}

/** Of a number that is written like a character in UTF-8. */
function numberBytes(first: number): number {
  return first < 0xc0 ? 1 : Math.min(7, Math.clz32(~(first << 24)))
}

function blockSize(bytes: Buffer, at: number, code: number): number {
  if (code === 1) return 192
  if (code < 6) return 576 << (code - 2)
  if (code === 6) return bytes.readUInt8(at) + 1
  return code === 7 ? bytes.readUInt16BE(at) + 1 : 256 << (code - 8)
}

function writtenRate(bytes: Buffer, at: number, code: number): number {
  if (code === 12) return bytes.readUInt8(at) * 1_000
  return bytes.readUInt16BE(at) * (code === 14 ? 10 : 1)
}

function crc8(bytes: Buffer, start: number, end: number): number {
  let crc = 0
  for (let at = start; at < end; at++) crc = crcOf[crc ^ (bytes[at] ?? 0)] ?? 0
  return crc
}
