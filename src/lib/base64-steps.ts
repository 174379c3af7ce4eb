import { type Steps, turnBytes } from './turns.ts'

/** Bytes that are made base64 at a time: groups of three, whose text is small enough to be reused memory. */
const encodedTogether = 49_152

/**
 * The bytes that a text of base64 stands for; null when it is none: the decoder leaves out what does not belong there, so
 * that fewer bytes come out than went in. `pieceCharacters` are decoded in a turn, a multiple of four.
 */
export function* decodeBase64Steps(text: string, pieceCharacters = turnBytes): Steps<Buffer | null> {
  const bytes = Buffer.allocUnsafe(decodedBytes(text))
  let written = 0
  for (let at = 0; at < text.length; at += pieceCharacters) {
    if (at > 0) yield
    const piece = text.slice(at, at + pieceCharacters)
    if (bytes.write(piece, written, 'base64') !== decodedBytes(piece)) return null
    written += decodedBytes(piece)
  }
  return written === bytes.length ? bytes : null
}

function decodedBytes(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.floor(((text.length - padding) * 3) / 4)
}

/** ASCII: `head`, and behind it the base64 of the bytes. In pieces, since one long string would take as long again. */
export function* encodeBase64Steps(head: string, { buffer, byteOffset, length }: Uint8Array): Steps<Buffer> {
  const bytes = Buffer.from(buffer, byteOffset, length)
  const text = Buffer.allocUnsafe(head.length + Math.ceil(length / 3) * 4)
  let written = text.write(head, 'latin1')
  let turnEnd = turnBytes
  for (let at = 0; at < length; at += encodedTogether) {
    if (written > turnEnd) {
      yield
      turnEnd += turnBytes
    }
    written += text.write(bytes.toString('base64', at, at + encodedTogether), written, 'latin1')
  }
  return text
}
