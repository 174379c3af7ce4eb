export interface Element {
  readonly id: number
  readonly content: Buffer
}

/**
 * The elements of Matroska (RFC 8794) in their order, those in `entered` as their heads alone and then what is in them, so
 * that it does not matter whether their lengths are known. @throws RangeError
 */
export function* walkElements(bytes: Buffer, entered: ReadonlySet<number>): Generator<Element> {
  let at = 0
  while (at < bytes.length) {
    const idBytes = lengthOf(bytes.readUInt8(at), 4)
    const id = bytes.readUIntBE(at, idBytes)
    at += idBytes
    const sizeBytes = lengthOf(bytes.readUInt8(at), 8)
    const size = readSize(bytes, at, sizeBytes)
    at += sizeBytes
    if (entered.has(id)) yield { id, content: bytes.subarray(at, at) }
    else if (size === null) throw new RangeError('an element without an end')
    else {
      yield { id, content: bytes.subarray(at, at + size) }
      at += size
    }
  }
}

/** By the zeros before the first one. */
function lengthOf(first: number, most: number): number {
  const bytes = Math.clz32(first) - 23
  if (bytes > most) throw new RangeError('no element')
  return bytes
}

/** Null where the length is not known, which is written as ones. */
function readSize(bytes: Buffer, at: number, length: number): number | null {
  let size = bytes.readUInt8(at) & (0xff >> length)
  let isKnown = size !== 0xff >> length
  for (let next = at + 1; next < at + length; next++) {
    const byte = bytes.readUInt8(next)
    isKnown ||= byte !== 0xff
    size = size * 256 + byte
  }
  return isKnown ? size : null
}
