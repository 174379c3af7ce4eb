import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fixture, useDocuments } from '../support/documents/use-documents.ts'

const { decoder } = useDocuments()
const decode = (bytes: Uint8Array, to?: 'png' | 'jpeg') =>
  decoder.decode({ bytes, accountId: 'acc_1' }, AbortSignal.timeout(60_000), to === undefined ? {} : { to })

/** A picture with something in it, so that half of it is not all of it. */
function picture(width = 320, height = 240) {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  return sharp({ create: { width, height, channels: 3, background: 'white', noise } })
}

describe('a picture is decoded to its last pixel', () => {
  it.each([
    ['image/png', () => picture().png().toBuffer()],
    ['image/jpeg', () => picture().jpeg().toBuffer()],
    ['image/jpeg', () => picture().toColourspace('cmyk').jpeg().toBuffer()],
    ['image/webp', () => picture().webp().toBuffer()],
    ['image/avif', () => picture().avif({ effort: 0 }).toBuffer()],
  ])('%s', async (mediaType, make) => {
    expect(await decode(await make())).toEqual({ kind: 'image', width: 320, height: 240, mediaType, converted: null })
  })

  it('HEIC as telephones make it, and as JPEG and PNG for engines that lack it', async () => {
    const shown = { kind: 'image', width: 160, height: 120, mediaType: 'image/heic' }
    expect(await decode(fixture('photo.heic'))).toEqual({ ...shown, converted: null })
    for (const to of ['jpeg', 'png'] as const) {
      const { converted } = (await decode(fixture('photo.heic'), to)) as { converted: { bytes: Uint8Array } }
      expect(await sharp(converted.bytes).metadata()).toMatchObject({ format: to, width: 160, height: 120 })
    }
  })

  it('of an animation, frame by frame; its size is that of one', async () => {
    const frames = await Promise.all([1, 2, 3].map(() => picture(100, 80).png().toBuffer()))
    const bytes = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer()
    expect(await decode(bytes)).toMatchObject({ kind: 'image', width: 100, height: 80, mediaType: 'image/webp' })
  })

  it('of a moving AVIF, its still picture, and as a JPEG for engines', async () => {
    const bytes = fixture('moving.avif')
    const shown = { kind: 'image', width: 96, height: 80, mediaType: 'image/avif' }
    expect(await decode(bytes)).toEqual({ ...shown, converted: null })
    const { converted } = (await decode(bytes, 'jpeg')) as { converted: { bytes: Uint8Array } }
    expect(await sharp(converted.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 96, height: 80 })
    expect(await decode(bytes.subarray(0, bytes.length / 2))).toMatchObject({ kind: 'failure' })
  })

  it('as it is shown: turned as its orientation says', async () => {
    const bytes = await picture(300, 100).jpeg().withMetadata({ orientation: 6 }).toBuffer()
    expect(await decode(bytes)).toMatchObject({ width: 100, height: 300 })
    const { converted } = (await decode(bytes, 'png')) as { converted: { bytes: Uint8Array } }
    expect(await sharp(converted.bytes).metadata()).toMatchObject({ width: 100, height: 300 })
  })
})

describe('what is no whole picture of these kinds', () => {
  it('is too many pixels by its header alone', async () => {
    const wall = { width: 10_000, height: 5_001, channels: 3, background: 'white' } as const
    const bytes = await sharp({ create: wall, limitInputPixels: false }).png({ palette: true, colours: 2 }).toBuffer()
    expect(await decode(bytes)).toEqual({ kind: 'failure', reason: 'too_many_pixels' })
  })

  it.each([
    ['png', () => picture().png().toBuffer()],
    ['jpeg', () => picture().jpeg().toBuffer()],
    ['webp', () => picture().webp().toBuffer()],
    ['heic', async () => fixture('photo.heic')],
  ])('is unreadable when it is cut off: %s', async (_, make) => {
    const bytes = await make()
    expect(await decode(bytes.subarray(0, Math.floor(bytes.length * 0.6)))).toEqual({
      kind: 'failure',
      reason: 'unreadable',
    })
  })

  it('is a GIF that is cut off', async () => {
    const gif = await picture().gif().toBuffer()
    expect(await decode(gif)).toMatchObject({ kind: 'image', mediaType: 'image/gif' })
    expect(await decode(gif.subarray(0, 40))).toEqual({ kind: 'failure', reason: 'unreadable' })
  })

  it.each([
    ['TIFF', () => picture().tiff().toBuffer()],
    ['SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>')],
    ['text', async () => Buffer.from('no picture')],
  ])('is unsupported: %s', async (_, make) => {
    expect(await decode(await make())).toEqual({ kind: 'failure', reason: 'unsupported' })
  })
})

it('the same picture gives the same bytes each time: nothing of another one is in them', async () => {
  const bytes = await picture().jpeg().toBuffer()
  const [first, second] = [await decode(bytes, 'png'), await decode(bytes, 'png')]
  expect(second).toEqual(first)
})
