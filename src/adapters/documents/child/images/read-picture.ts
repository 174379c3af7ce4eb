import sharp, { type Sharp } from 'sharp'

export const pixelsMax = 50_000_000
const jpegQuality = 90

// One picture, one child: threads and caches would only cost memory.
sharp.concurrency(1)
sharp.cache(false)
// Of everything that libvips can load, what a message may hold.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadPng',
    'VipsForeignLoadJpeg',
    'VipsForeignLoadWebp',
    'VipsForeignLoadHeif',
    'VipsForeignLoadNsgif',
  ],
})

export interface PictureSize {
  /** As shown: turned as the orientation says; one frame of an animation. */
  readonly width: number
  readonly height: number
  readonly frames: number
  /** HEIC as telephones make it, which libvips cannot decode here. */
  readonly isHevc: boolean
}

export interface Picture {
  /** Decodes every pixel and drops it. @throws Error for a picture that does not decode to its end */
  decode(): Promise<void>
  convert(to: 'png' | 'jpeg'): Promise<Buffer>
}

/** Reads the header alone. @throws Error */
export async function sizeOf(bytes: Uint8Array): Promise<PictureSize> {
  const found = await sharp(bytes, { limitInputPixels: false }).metadata()
  const { width, height } = found.autoOrient
  const frames = found.pages ?? 1
  const isAnimated = found.pageHeight !== undefined
  return {
    width,
    height: isAnimated ? (found.pageHeight ?? height) : height,
    frames: Math.max(1, frames),
    isHevc: found.compression === 'hevc',
  }
}

/** A picture that libvips decodes. All frames of an animation are decoded, as far as they fit into the pixels. */
export function readPicture(bytes: Uint8Array, { width, height, frames }: PictureSize): Picture {
  const pages = Math.max(1, Math.min(frames, Math.floor(pixelsMax / (width * height))))
  const open = (count: number) =>
    sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true, pages: count })
  return pictureOf(
    () => open(pages),
    () => open(1),
  )
}

export function pictureOf(whole: () => Sharp, first: () => Sharp): Picture {
  return {
    async decode() {
      // Every line is needed for it, and nothing of the size of the picture is kept.
      await whole().resize(8, 8, { fit: 'fill', fastShrinkOnLoad: false }).raw().toBuffer()
    },
    convert(to) {
      const upright = first().autoOrient().toColourspace('srgb')
      return to === 'png'
        ? upright.png().toBuffer()
        : upright.flatten({ background: '#ffffff' }).jpeg({ quality: jpegQuality }).toBuffer()
    },
  }
}
