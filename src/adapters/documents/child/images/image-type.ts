import { fileTypeFromBuffer } from 'file-type'

/** Pictures that a message may hold (venice.md §1.3), by what file-type calls them. */
const mediaTypes: Readonly<Record<string, string>> = {
  'image/png': 'image/png',
  'image/apng': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/webp': 'image/webp',
  'image/avif': 'image/avif',
  'image/heic': 'image/heic',
  'image/heic-sequence': 'image/heic',
  'image/heif': 'image/heic',
  'image/heif-sequence': 'image/heic',
}

/** The media type of a picture that a message may hold, by its bytes; null for everything else. */
export async function imageType(bytes: Uint8Array): Promise<string | null> {
  const found = await fileTypeFromBuffer(bytes)
  return mediaTypes[found?.mime ?? ''] ?? null
}

/** The same with GIF, which some messages may hold, and no file is read as. */
export async function pictureType(bytes: Uint8Array): Promise<string | null> {
  const found = await fileTypeFromBuffer(bytes)
  return found?.mime === 'image/gif' ? found.mime : imageType(bytes)
}
