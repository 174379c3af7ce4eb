const cutMark = '\n[The rest of this page is left out.]'

/** The beginning of a text that takes at most `bytesMax` UTF-8 bytes inside of a JSON string; says where it was cut. */
export function cutText(text: string, bytesMax: number): string {
  // A character takes a byte at least, so that nothing behind this has to be looked at.
  const start = text.slice(0, Math.max(0, bytesMax))
  if (start.length === text.length && encodedBytes(text) <= bytesMax) return text
  const room = bytesMax - encodedBytes(cutMark)
  let fits = 0
  let tooLong = start.length + 1
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (encodedBytes(start.slice(0, middle)) <= room) fits = middle
    else tooLong = middle
  }
  return start.slice(0, fits).replace(/[\ud800-\udbff]$/, '') + cutMark
}

function encodedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2
}
