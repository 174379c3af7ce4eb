import { aacRates } from './aac-rate.ts'

/** What is in no frame counts as if it were sound at 8 kbit/s. */
const apartBytesPerSecond = 1_000

const kilobits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const lowKilobits = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const layerRates = [44_100, 48_000, 32_000]
const aacHeaderBytes = 7

interface Frame {
  readonly bytes: number
  readonly seconds: number
  /** What the frames of one stream have in common. */
  readonly stream: number
}

/**
 * MP3 (ISO 11172-3, 13818-3) and AAC in ADTS (ISO 13818-7), frame by frame. A frame counts if the next one of the same
 * stream begins at its end; a player may find other frames in all the rest.
 */
export function countFrames(bytes: Buffer): number {
  let at = 0
  let seconds = 0
  let apartBytes = 0
  let stream: number | null = null
  while (at < bytes.length) {
    const frame = frameAt(bytes, at)
    if (frame !== null && (stream ?? frame.stream) === frame.stream && isFollowed(bytes, at, frame)) {
      stream = frame.stream
      seconds += frame.seconds
      at += frame.bytes
    } else {
      apartBytes += 1
      at += 1
    }
  }
  return seconds + apartBytes / apartBytesPerSecond
}

function isFollowed(bytes: Buffer, at: number, frame: Frame): boolean {
  const end = at + frame.bytes
  return end === bytes.length || frameAt(bytes, end)?.stream === frame.stream
}

function frameAt(bytes: Buffer, at: number): Frame | null {
  if (bytes[at] !== 0xff || at + aacHeaderBytes > bytes.length) return null
  const [second, third] = [bytes.readUInt8(at + 1), bytes.readUInt8(at + 2)]
  if (second < 0xe0) return null
  const layer = (second >> 1) & 3
  if (layer === 1) return mp3Frame(second, third)
  return layer === 0 && second >= 0xf0 ? aacFrame(bytes, at) : null
}

function mp3Frame(second: number, third: number): Frame | null {
  const version = (second >> 3) & 3
  const isFirst = version === 3
  const kilobit = (isFirst ? kilobits : lowKilobits)[third >> 4] ?? 0
  const halved = isFirst ? 1 : version === 2 ? 2 : 4
  const rate = (layerRates[(third >> 2) & 3] ?? 0) / halved
  if (version === 1 || kilobit === 0 || rate === 0) return null
  const samples = isFirst ? 1_152 : 576
  const bytes = Math.floor((samples * 125 * kilobit) / rate) + ((third >> 1) & 1)
  return { bytes, seconds: samples / rate, stream: streamOf(second, third & 0x0c) }
}

function aacFrame(bytes: Buffer, at: number): Frame | null {
  const third = bytes.readUInt8(at + 2)
  const rate = aacRates[(third >> 2) & 15]
  const length = (bytes.readUIntBE(at + 3, 3) >> 5) & 0x1fff
  if (rate === undefined || length < aacHeaderBytes) return null
  const blocks = (bytes.readUInt8(at + 6) & 3) + 1
  return { bytes: length, seconds: (blocks * 1_024) / rate, stream: streamOf(bytes.readUInt8(at + 1), third & 0xfc) }
}

function streamOf(second: number, marks: number): number {
  return ((second & 0x1e) << 8) | marks
}
