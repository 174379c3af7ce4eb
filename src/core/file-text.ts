const nameCharactersMax = 64
/** UTF-8 bytes of a name as it is shown, with the sign of its cut. No character of one unit takes more than three. */
const nameBytesMax = (nameCharactersMax + 1) * 3

/** What a cut leaves of a character of two units. */
const halfCharacter = /[\ud800-\udbff]$/

/**
 * What the model reads instead of a file that was not made into text. It is no error: the rest of the request is
 * answered (venice.md §1.3). `detail` says what is wrong and what would mend it.
 */
export function unreadableFileText(name: string | null, detail: string): string {
  return `[Error processing file ${shownName(name)}: ${detail}]`
}

/** A file's text with its name around it, so that the model can tell it from the caller's own words. */
export function fileText(name: string | null, text: string): string {
  const shown = shownName(name)
  return frame(shown, text, shown)
}

/** UTF-8 bytes that stand around a file's text at most, whatever it is called. */
export const fileFrameBytesMax = Buffer.byteLength(frame('', '', '')) + 2 * nameBytesMax

function frame(before: string, text: string, behind: string): string {
  return `[File ${before}]\n${text}\n[End of file ${behind}]`
}

/** One line that holds nothing which could end the brackets around it. */
function shownName(name: string | null): string {
  const line = (name ?? '').replace(/[\p{C}[\]]/gu, ' ').trim() || 'file'
  if (line.length <= nameCharactersMax) return line
  return `${line.slice(0, nameCharactersMax).replace(halfCharacter, '')}…`
}
