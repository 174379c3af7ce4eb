import { describe, expect, it } from 'vitest'
import { makeMp4, makeWebm } from '../../../../../test/support/media/long-films.ts'
import {
  makeAdts,
  makeAiff,
  makeFlac,
  makeMp3,
  makeOpus,
  makeVorbis,
  makeWav,
} from '../../../../../test/support/media/long-sounds.ts'
import { runSecondsJob } from './run-seconds-job.ts'

const secondsOf = (bytes: Buffer) => runSecondsJob({ head: {}, bytes }).head['seconds'] as number | null
const mp3Seconds = 1_152 / 44_100
const aacSeconds = 1_024 / 44_100
const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x4e\x10', 'latin1'), Buffer.alloc(10_000)])
const pictures = { handler: 'vide', samples: 250, units: 40 } as const
const voice = { handler: 'soun', samples: 430, units: 23 } as const

describe('a sound or film is as long as', () => {
  it.each([
    ['the bytes of a WAV file', makeWav(10), 10],
    ['the bytes of a WAV file of a telephone', makeWav(10, { rate: 8_000, bits: 8, coding: 7 }), 10],
    ['the bytes of an AIFF file', makeAiff(10), 10],
    ['the bytes of an AIFF file with a tag', Buffer.concat([makeAiff(10), Buffer.from('ID3 \0\0\0\x04COMM')]), 10],
    ['the frames of an MP3 file', makeMp3(400), 400 * mp3Seconds],
    ['the frames of an MP3 file behind a picture', Buffer.concat([tag, makeMp3(400)]), 400 * mp3Seconds],
    ['the frames of AAC', makeAdts(400), 400 * aacSeconds],
    ['the frames of a FLAC file', makeFlac(40), (40 * 4_096) / 16_000],
    ['the packets of Opus', makeOpus(10), 10],
    ['the long packets of Vorbis', makeVorbis(10), (500 * 1_024) / 48_000],
    ['the pictures of MP4', makeMp4([pictures]), 10],
    ['the longer track of MOV', makeMp4([pictures, { ...voice, samples: 500 }], { brand: 'qt  ' }), 500 * aacSeconds],
    ['the last picture of WebM, and a second', makeWebm(10), 10],
  ])('%s', (_, bytes, seconds) => {
    expect(secondsOf(bytes)).toBeCloseTo(seconds, 0)
  })
})

describe('what a file says of itself makes it no shorter:', () => {
  it.each([
    ['bytes of a WAV file behind the end that it claims', shortened(makeWav(10)), 10],
    ['small frames of MP3 behind large ones', Buffer.concat([makeMp3(4), makeMp3(400, 32)]), 404 * mp3Seconds],
    ['samples of FLAC beyond their number', makeFlac(40, 16_000), 10.24],
    ['packets of Opus beyond their positions', makeOpus(10, 48_000), 10],
    ['pages of Ogg within a page', Buffer.concat([makeOpus(1), hidden(makeOpus(9).subarray(47))]), 10],
    ['sound of MP4 without times', makeMp4([{ ...voice, units: 0, claimedUnits: 1_000 }]), 430 * aacSeconds],
    ['clusters of WebM behind the end that it claims', makeWebm(10, { claimed: 1_000 }), 10],
  ])('%s', (_, bytes, seconds) => {
    expect(secondsOf(bytes)).toBeGreaterThan(seconds - 0.5)
  })

  it.each([
    ['MP4', makeMp4([{ ...pictures, claimedUnits: 60_000 }])],
    ['Opus', makeOpus(10, 60 * 48_000)],
    ['WebM', makeWebm(10, { claimed: 60_000 })],
  ])('a claim of %s to be longer counts', (_, bytes) => {
    expect(secondsOf(bytes)).toBeGreaterThanOrEqual(60)
  })
})

describe('nothing is said of', () => {
  it.each([
    ['a WAV file with two descriptions', makeWav(1, { extra: Buffer.from('fmt ') })],
    ['a WAV file with a packed coding', makeWav(1, { coding: 0x11 })],
    ['a WAV file of more samples a second than there are', makeWav(1, { rate: 400_000 })],
    ['a film in fragments', makeMp4([pictures], { extra: 'mvex' })],
    ['a film with two lists of its pictures', Buffer.concat([makeMp4([pictures]), makeMp4([pictures])])],
    ['a film with sound that is not counted', makeWebm(2, { codec: 'A_VORBIS' })],
    ['Ogg that begins in the middle', makeOpus(2).subarray(47)],
    ['MPEG', Buffer.from([0, 0, 1, 0xba, 0x44, 0, 4, 0, 4, 1])],
    ['bytes', Buffer.alloc(1_000, 7)],
  ])('%s', (_, bytes) => {
    expect(secondsOf(bytes)).toBeNull()
  })

  it('what is cut off, or changed by chance, that would be below nothing or no number', () => {
    for (const whole of [makeWav(1), makeFlac(2), makeOpus(2), makeMp4([pictures]), makeWebm(2), makeMp3(5)])
      for (const cut of [13, 40, 300]) expect(secondsOf(whole.subarray(0, cut)) ?? 0).toBeGreaterThanOrEqual(0)
  })
})

it('bytes between frames count as sound of the lowest rate', () => {
  const frames = 2 * 10 * mp3Seconds
  const seconds = secondsOf(Buffer.concat([makeMp3(10), Buffer.alloc(5_000), makeMp3(10)]))
  expect(seconds).toBeGreaterThan(frames + 4.9)
})

/** It claims a second of data. */
function shortened(wav: Buffer): Buffer {
  wav.writeUInt32LE(32_000, wav.indexOf('data') + 4)
  return wav
}

/** Within a page of the same stream, which has no packet. */
function hidden(pages: Buffer): Buffer {
  const head = Buffer.from(pages.subarray(0, 27))
  head[26] = 255
  return Buffer.concat([head, Buffer.alloc(255, 255), pages])
}
