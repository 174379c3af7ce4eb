import type { ImageFailureReason } from '../../../../core/image-decoder.ts'
import type { ReceivedJob } from '../receive-job.ts'
import type { ChildAnswer } from '../write-answer.ts'
import { pictureType } from './image-type.ts'
import { type Picture, pixelsMax, readPicture, sizeOf } from './read-picture.ts'
import { withStillBrand } from './still-brand.ts'

/** Decodes a picture whole, and gives it in the form that was asked for. */
export async function runImageJob({ head, bytes: received }: ReceivedJob): Promise<ChildAnswer> {
  const mediaType = await pictureType(received)
  if (mediaType === null) return failed('unsupported')
  const bytes = withStillBrand(received)
  try {
    const size = await sizeOf(bytes)
    if (size.width * size.height > pixelsMax) return failed('too_many_pixels')
    const picture = size.isHevc ? await openHeic(bytes) : readPicture(bytes, size)
    return await answer({ ...size, mediaType }, picture, head.to)
  } catch {
    return failed('unreadable')
  }
}

interface Shown {
  readonly width: number
  readonly height: number
  readonly mediaType: string
}

async function answer({ width, height, mediaType }: Shown, picture: Picture, to: unknown): Promise<ChildAnswer> {
  const common = { kind: 'image', width, height, mediaType }
  if (to !== 'png' && to !== 'jpeg') {
    await picture.decode()
    return { head: { ...common, converted: null }, body: Buffer.alloc(0) }
  }
  return { head: { ...common, converted: `image/${to}` }, body: await picture.convert(to) }
}

function failed(reason: ImageFailureReason): ChildAnswer {
  return { head: { kind: 'failure', reason }, body: Buffer.alloc(0) }
}

/** Its decoder is 9 MB of its own, which other pictures need not wait for. */
async function openHeic(bytes: Uint8Array): Promise<Picture> {
  const { decodeHeic } = await import('./decode-heic.ts')
  return decodeHeic(bytes)
}
