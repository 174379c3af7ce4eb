/** Letters and digits that follow each other: about five words, which nobody says twice by chance. */
const runCharacters = 24
/** A shorter text tells nothing, and stands in many sentences. */
const privateCharactersMin = 12

/**
 * Whether a text repeats a private one, or a run of 24 letters of it. Case, spaces, punctuation and escaped line ends say
 * nothing, as whoever quotes changes them. Takes time in proportion to both lengths.
 */
export function quotesPrivate(text: string, privateTexts: readonly string[]): boolean {
  if (privateTexts.length === 0) return false
  const said = lettersOf(text)
  return privateTexts.map(lettersOf).some(hidden => {
    const length = Math.min(runCharacters, hidden.length)
    if (length < privateCharactersMin || said.length < length) return false
    const runs = new Set(runsOf(said, length))
    for (const run of runsOf(hidden, length)) if (runs.has(run)) return true
    return false
  })
}

function* runsOf(text: string, length: number): Generator<string> {
  for (let start = 0; start + length <= text.length; start++) yield text.slice(start, start + length)
}

function lettersOf(text: string): string {
  return text
    .replace(/\\[nrt]/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
}
