import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export type PictureFormat = 'png' | 'jpeg' | 'webp' | 'avif'

/** A picture of one colour per size, so that two sizes are two pictures. */
export function makePicture(format: PictureFormat, width = 96, height = 80): Promise<Buffer> {
  const background = { r: width % 256, g: height % 256, b: 128 }
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
}

/** Two frames. */
export async function makeAnimatedWebp(): Promise<Buffer> {
  const frames = await Promise.all([makePicture('png', 96), makePicture('png', 96, 81)])
  return sharp(frames, { join: { animated: true } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer()
}

/** Two frames, of which the first is 96 by 80 pixels. */
export async function makeGif(): Promise<Buffer> {
  const frames = await Promise.all([makePicture('png', 96), makePicture('png', 96, 81)])
  return sharp(frames, { join: { animated: true } })
    .gif({ loop: 0, delay: [100, 100] })
    .toBuffer()
}

export function makeCmykJpeg(): Promise<Buffer> {
  return sharp({ create: { width: 96, height: 80, channels: 3, background: '#336699' } })
    .toColourspace('cmyk')
    .jpeg()
    .toBuffer()
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** A few kilobytes that are 60 megapixels of black. */
export function makePngBomb(width = 10_000, height = 6_000): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

export function dataUrl(mediaType: string, bytes: Buffer): string {
  return `data:${mediaType};base64,${bytes.toString('base64')}`
}
