/** The compound files of older programs. */
const signature = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const name = (text: string) => Buffer.from(text, 'utf16le')
/** Names of streams in their directory; the first one that is there decides. */
const streams: readonly (readonly [Buffer, OleKind])[] = [
  [name('EncryptedPackage'), 'encrypted'],
  [name('WordDocument'), 'other'],
  [name('PowerPoint Document'), 'other'],
  [name('Workbook\0'), 'xls'],
  [name('Book\0'), 'xls'],
]

export type OleKind = 'xls' | 'encrypted' | 'other'

/** What a compound file holds; null when it is none. A protected Office document is one, whatever its format. */
export function oleKind(bytes: Uint8Array): OleKind | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!buffer.subarray(0, signature.length).equals(signature)) return null
  return streams.find(([stream]) => buffer.includes(stream))?.[1] ?? 'other'
}
