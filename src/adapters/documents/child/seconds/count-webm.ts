import { opusSeconds } from './opus-seconds.ts'
import { walkElements } from './walk-elements.ts'

const [segment, cluster, group, info, tracks, track] = [
  0x18538067, 0x1f43b675, 0xa0, 0x1549a966, 0x1654ae6b, 0xae,
] as const
const entered: ReadonlySet<number> = new Set([segment, cluster, group, info, tracks, track])
const [timeScale, duration, clusterTime, blockDuration] = [0x2ad7b1, 0x4489, 0xe7, 0x9b] as const
const [trackNumber, trackCodec, simpleBlock, block] = [0xd7, 0x86, 0xa3, 0xa1] as const
const nanosecondsUsual = 1_000_000
/** What the last picture may stand. */
const lastSeconds = 1

/**
 * A film ends with its last block (RFC 9559 §5.1.3), or where it claims to end if that is later. Opus counts by its packets
 * too, since players need not obey the times beside them; other sound, and blocks of several frames, are not counted.
 * @throws RangeError
 */
export function countWebm(bytes: Buffer): number | null {
  const codecs = new Map<number, string>()
  const soundSeconds = new Map<number, number>()
  let [number, scale, claimed, last, time, blockTime, isCounted] = [0, nanosecondsUsual, 0, 0, 0, 0, true]
  const addBlock = (content: Buffer) => {
    const { of, offset, flags, data } = readBlock(content)
    blockTime = time + offset
    last = Math.max(last, blockTime)
    const codec = codecs.get(of) ?? ''
    if (codec.startsWith('V_')) return
    if (codec !== 'A_OPUS' || (flags & 0x06) !== 0) isCounted = false
    else soundSeconds.set(of, (soundSeconds.get(of) ?? 0) + opusSeconds(data, 0))
  }
  for (const { id, content } of walkElements(bytes, entered)) {
    if (id === timeScale) scale = Math.max(scale, readNumber(content))
    else if (id === duration) claimed = content.length === 4 ? content.readFloatBE() : content.readDoubleBE()
    else if (id === clusterTime) time = readNumber(content)
    else if (id === blockDuration) last = Math.max(last, blockTime + readNumber(content))
    else if (id === trackNumber) number = readNumber(content)
    else if (id === trackCodec) codecs.set(number, content.toString('latin1').replace(/\0+$/, ''))
    else if (id === simpleBlock || id === block) addBlock(content)
  }
  if (!isCounted || codecs.size === 0) return null
  return Math.max((Math.max(last, claimed) * scale) / 1e9 + lastSeconds, ...soundSeconds.values())
}

function readBlock(content: Buffer) {
  const first = content.readUInt8(0)
  const numberBytes = Math.clz32(first) - 23
  const of = content.readUIntBE(0, numberBytes) - 2 ** (7 * numberBytes)
  const offset = content.readInt16BE(numberBytes)
  return { of, offset, flags: content.readUInt8(numberBytes + 2), data: content.subarray(numberBytes + 3) }
}

function readNumber(content: Buffer): number {
  return content.length === 0 ? 0 : content.readUIntBE(0, content.length)
}
