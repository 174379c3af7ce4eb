import heif from 'libheif-js/wasm-bundle.js'
import sharp from 'sharp'
import { type Picture, pictureOf, pixelsMax } from './read-picture.ts'

/** HEIC with HEVC inside, decoded by libheif: upright, as it is shown. @throws Error */
export async function decodeHeic(bytes: Uint8Array): Promise<Picture> {
  const [image] = new heif.HeifDecoder().decode(bytes)
  if (image === undefined) throw new Error('no picture')
  const width = image.get_width()
  const height = image.get_height()
  if (width * height > pixelsMax) throw new Error('more pixels than the header said')
  const data = await new Promise<Uint8ClampedArray>((resolve, reject) => {
    image.display({ data: new Uint8ClampedArray(width * height * 4), width, height }, shown =>
      shown === null ? reject(new Error('does not decode')) : resolve(shown.data),
    )
  })
  const open = () => sharp(data, { raw: { width, height, channels: 4 } })
  return pictureOf(open, open)
}
