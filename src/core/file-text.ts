const nameCharactersMax = 64

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
  return `[File ${shown}]\n${text}\n[End of file ${shown}]`
}

/** One line that holds nothing which could end the brackets around it. */
function shownName(name: string | null): string {
  const line = (name ?? '').replace(/[\p{C}[\]]/gu, ' ').trim() || 'file'
  if (line.length <= nameCharactersMax) return line
  return `${line.slice(0, nameCharactersMax).replace(halfCharacter, '')}…`
}
