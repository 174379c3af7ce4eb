import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { ReadingFailure } from '../../reading.ts'

/** Bounds of a container before any library sees it (reliability.md §6.6). */
const entriesMax = 20_000
const bytesMax = 104_857_600
/** A part that inflates to more than this is text of a hundredth of its size, or a bomb. */
const ratioMax = 100
/** Small parts of repeated markup inflate by any ratio, and harm nobody. */
const ratioFreeBytes = 1_048_576

const textParts = /(^mimetype|\.(xml|rels|xhtml|html|htm|opf))$/i

/** The parts of a zip container that hold text, by name. Pictures and fonts are measured and dropped. */
export type Container = ReadonlyMap<string, Buffer>

/**
 * Inflates a whole container within its bounds. What its headers declare is judged before anything is inflated; what
 * really comes out is counted as well, because headers lie.
 * @throws ReadingFailure too_large, encrypted; Error for a damaged container
 */
export async function openContainer(bytes: Uint8Array): Promise<Container> {
  const file = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  const entries = await listEntries(file)
  const parts = new Map<string, Buffer>()
  let roomBytes = bytesMax
  for (const entry of entries) {
    const pieces: Buffer[] = []
    const isText = textParts.test(entry.fileName)
    for await (const piece of inflate(file, entry, roomBytes)) {
      roomBytes -= piece.length
      if (isText) pieces.push(piece)
    }
    if (isText) parts.set(entry.fileName, Buffer.concat(pieces))
  }
  return parts
}

async function listEntries(file: ZipFile): Promise<readonly Entry[]> {
  if (file.entryCount > entriesMax) throw new ReadingFailure('too_large')
  const entries: Entry[] = []
  let declaredBytes = 0
  for await (const entry of file.eachEntry()) {
    if (entry.isEncrypted()) throw new ReadingFailure('encrypted')
    declaredBytes += entry.uncompressedSize
    if (declaredBytes > bytesMax || isBomb(entry, entry.uncompressedSize)) throw new ReadingFailure('too_large')
    if (!entry.fileName.endsWith('/')) entries.push(entry)
  }
  return entries
}

function isBomb({ compressedSize }: Entry, inflatedBytes: number): boolean {
  return inflatedBytes > ratioFreeBytes && inflatedBytes > compressedSize * ratioMax
}

async function* inflate(file: ZipFile, entry: Entry, roomBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of await file.openReadStreamPromise(entry)) {
    size += piece.length
    if (size > roomBytes || isBomb(entry, size)) throw new ReadingFailure('too_large')
    yield piece
  }
}
