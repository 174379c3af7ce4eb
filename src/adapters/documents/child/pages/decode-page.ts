import { decodeLatin, decodeText, markedCoding } from '../formats/decode-text.ts'

/** As far as browsers look for it. */
const metaBytes = 4_096
const meta = /<meta[^>]{0,200}charset\s*=\s*["']?\s*([a-z0-9_:.-]{1,40})/i

/** The text of a page: as its mark says, then as its server, then as it itself, then as its bytes look. */
export function decodePage(bytes: Uint8Array, declared: string | null): string {
  const own = meta.exec(Buffer.from(bytes.subarray(0, metaBytes)).toString('latin1'))?.[1] ?? null
  for (const name of [markedCoding(bytes), declared, own]) {
    const decoder = name === null ? null : decoderOf(name)
    if (decoder?.encoding === 'windows-1252') return decodeLatin(bytes)
    if (decoder !== null) return decoder.decode(bytes)
  }
  return decodeText(bytes)
}

/** Null for names that nobody knows. */
function decoderOf(name: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(name)
  } catch {
    return null
  }
}
