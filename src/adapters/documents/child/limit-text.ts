/** The most that one file may give (reliability.md §6.6), the line that says what is missing included. */
const textBytesMax = 2_097_152
const cutMark = '\n\n[The rest of this file is left out: its text is longer than 2 MiB.]'

/** Cuts a text after 2 MiB of UTF-8, never within a character, and says so at its end. */
export function limitText(text: string): { readonly text: string; readonly truncated: boolean } {
  const bytes = Buffer.from(text)
  if (bytes.length <= textBytesMax) return { text, truncated: false }
  let end = textBytesMax - cutMark.length
  while (end > 0 && isContinuation(bytes[end])) end -= 1
  return { text: bytes.toString('utf8', 0, end) + cutMark, truncated: true }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
