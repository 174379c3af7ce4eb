import { opusSeconds } from './opus-seconds.ts'

const headBytes = 27
const continued = 1
const first = 2
const opusRate = 48_000

interface Stream {
  readonly rate: number
  packetSeconds(at: number): number
}

/**
 * Every packet counts that begins in a page, and a page is what looks like one, wherever it stands (RFC 3533 §6): players
 * look for the next one where one is broken. The positions that pages claim count where they are higher.
 */
export function countOgg(bytes: Buffer): number | null {
  const streams = new Map<number, Stream>()
  let seconds = 0
  let claimed = 0
  for (let at = bytes.indexOf('OggS'); at !== -1; at = bytes.indexOf('OggS', at + 4)) {
    if (at + headBytes > bytes.length) break
    const flags = bytes.readUInt8(at + 5)
    const serial = bytes.readUInt32LE(at + 14)
    const bodyAt = at + headBytes + bytes.readUInt8(at + 26)
    if ((flags & first) !== 0) {
      const opened = openStream(bytes, bodyAt)
      if (opened === null || streams.has(serial)) return null
      streams.set(serial, opened)
    }
    const stream = streams.get(serial)
    if (stream === undefined) return null
    for (const packetAt of packetsOf(bytes, at, bodyAt)) seconds += stream.packetSeconds(packetAt)
    claimed = Math.max(claimed, Number(bytes.readBigInt64LE(at + 6)) / stream.rate)
  }
  return Math.max(seconds, claimed)
}

/** Opus (RFC 7845 §5.1) and Vorbis, of which each packet counts as a long one. */
function openStream(bytes: Buffer, at: number): Stream | null {
  if (bytes.toString('latin1', at, at + 8) === 'OpusHead')
    return { rate: opusRate, packetSeconds: packetAt => opusSeconds(bytes, packetAt) }
  if (bytes.toString('latin1', at, at + 7) !== '\x01vorbis') return null
  const rate = bytes.readUInt32LE(at + 12)
  const longest = 2 ** (bytes.readUInt8(at + 28) >> 4)
  return rate === 0 ? null : { rate, packetSeconds: () => longest / 2 / rate }
}

/** Where packets begin. A packet is over with the first piece that is shorter than 255 bytes. */
function packetsOf(bytes: Buffer, at: number, bodyAt: number): readonly number[] {
  const starts: number[] = []
  let isStart = (bytes.readUInt8(at + 5) & continued) === 0
  let pieceAt = bodyAt
  for (const length of bytes.subarray(at + headBytes, bodyAt)) {
    if (isStart && length > 0 && pieceAt < bytes.length) starts.push(pieceAt)
    isStart = length < 255
    pieceAt += length
  }
  return starts
}
