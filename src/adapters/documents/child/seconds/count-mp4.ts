import { aacRate } from './aac-rate.ts'
import { allNamed, onlyNamed, walkBoxes } from './walk-boxes.ts'

const aacSamples = 1_024

/**
 * A film's length is that of its longest track, and a track's that of its samples together (ISO 14496-12 §8.6.1), or what
 * it claims where that is more. Samples of sound count by what they hold too, since players need not obey the times beside
 * them. Films in fragments, and sound that is no AAC, are not counted. @throws RangeError
 */
export function countMp4(bytes: Buffer): number | null {
  const top = walkBoxes(bytes)
  const movie = walkBoxes(onlyNamed(top, 'moov'))
  if (allNamed(top, 'moof').length > 0 || allNamed(movie, 'mvex').length > 0) return null
  const header = readTimes(onlyNamed(movie, 'mvhd'))
  const tracks = allNamed(movie, 'trak').map(track => trackSeconds(track, header.scale))
  const isCounted = tracks.length > 0 && tracks.every(seconds => seconds !== null)
  return isCounted ? Math.max(header.duration / header.scale, ...tracks.map(Number)) : null
}

function trackSeconds(track: Buffer, movieScale: number): number | null {
  const boxes = walkBoxes(track)
  const media = walkBoxes(onlyNamed(boxes, 'mdia'))
  const { scale, duration } = readTimes(onlyNamed(media, 'mdhd'))
  const table = walkBoxes(onlyNamed(walkBoxes(onlyNamed(media, 'minf')), 'stbl'))
  const { samples, units } = readSampleTimes(onlyNamed(table, 'stts'))
  const counted = sampleCount(allNamed(table, 'stsz')[0] ?? onlyNamed(table, 'stz2'))
  if (counted > samples) return null
  const edited = allNamed(boxes, 'edts').reduce((sum, edits) => sum + editedUnits(edits), 0)
  const seconds = Math.max(units / scale, duration / scale, edited / movieScale)
  if (onlyNamed(media, 'hdlr').toString('latin1', 8, 12) !== 'soun') return seconds
  const rate = aacRate(onlyNamed(table, 'stsd'))
  return rate === null ? null : Math.max(seconds, (counted * aacSamples) / rate)
}

/** Of `mvhd` and `mdhd`, which begin alike: units a second, and units in all. */
function readTimes(box: Buffer): { readonly scale: number; readonly duration: number } {
  const isLong = box.readUInt8(0) === 1
  if (isLong) return { scale: box.readUInt32BE(20), duration: Number(box.readBigUInt64BE(24)) }
  return { scale: box.readUInt32BE(12), duration: box.readUInt32BE(16) }
}

/** Runs of samples that last equally long. */
function readSampleTimes(box: Buffer): { readonly samples: number; readonly units: number } {
  const runs = box.readUInt32BE(4)
  let samples = 0
  let units = 0
  for (let at = 8; at < 8 + runs * 8; at += 8) {
    const count = box.readUInt32BE(at)
    samples += count
    units += count * box.readUInt32BE(at + 4)
  }
  return { samples, units }
}

function sampleCount(box: Buffer): number {
  return box.readUInt32BE(8)
}

/** What a list of edits plays, which may be a piece of the track again and again. */
function editedUnits(edits: Buffer): number {
  let units = 0
  for (const list of allNamed(walkBoxes(edits), 'elst')) {
    const isLong = list.readUInt8(0) === 1
    const entryBytes = isLong ? 20 : 12
    const end = 8 + list.readUInt32BE(4) * entryBytes
    for (let at = 8; at < end; at += entryBytes)
      units += isLong ? Number(list.readBigUInt64BE(at)) : list.readUInt32BE(at)
  }
  return units
}
