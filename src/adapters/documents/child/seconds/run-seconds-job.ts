import { afterId3 } from '../../../../lib/after-id3.ts'
import type { ReceivedJob } from '../receive-job.ts'
import type { ChildAnswer } from '../write-answer.ts'
import { countFlac } from './count-flac.ts'
import { countFrames } from './count-frames.ts'
import { countMp4 } from './count-mp4.ts'
import { countOgg } from './count-ogg.ts'
import { countAiff, countWav } from './count-samples.ts'
import { countWebm } from './count-webm.ts'

/**
 * The most seconds that a player can find in a sound or a film. Null for what is not counted: of formats that are not
 * known here, and of files that players might understand in different ways.
 */
type Count = (bytes: Buffer) => number | null

const boxes: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip'])

export function runSecondsJob({ bytes }: ReceivedJob): ChildAnswer {
  return { head: { kind: 'seconds', seconds: countOrNull(bytes.subarray(afterId3(bytes))) }, body: Buffer.alloc(0) }
}

function countOrNull(bytes: Buffer): number | null {
  try {
    const seconds = counterOf(bytes)?.(bytes) ?? null
    return seconds !== null && Number.isFinite(seconds) ? seconds : null
  } catch {
    // What ends in the middle of a structure is read beyond its end.
    return null
  }
}

function counterOf(bytes: Buffer): Count | null {
  const [name, second, third] = [0, 4, 8].map(at => bytes.toString('latin1', at, at + 4))
  if (name === 'RIFF' && third === 'WAVE') return countWav
  if (name === 'FORM' && third === 'AIFF') return countAiff
  if (name === 'OggS') return countOgg
  if (name === 'fLaC') return countFlac
  if (name === '\x1a\x45\xdf\xa3') return countWebm
  if (boxes.has(second ?? '')) return countMp4
  return bytes[0] === 0xff ? countFrames : null
}
