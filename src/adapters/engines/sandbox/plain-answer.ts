import type { Prompt } from './read-prompt.ts'
import { countTokens } from './tokens.ts'

const introduction = 'This is rialto/sandbox, a test mode, not a language model.'

const excerptCharacters = 80
const resultCharacters = 500
const resultsMax = 8

/** Says what answers here, and shows that it has read the prompt. */
export function noticeFor({ userText, mediaParts, toolResults }: Prompt): string {
  const media = mediaParts === 0 ? '' : ` Parts that are not text were not looked at: ${mediaParts}.`
  return `${introduction} ${toolResults.length > 0 ? quoteResults(toolResults) : reflect(userText)}${media}`
}

function quoteResults(results: readonly string[]): string {
  const quoted = results.slice(0, resultsMax).map(result => `“${excerpt(result, resultCharacters)}”`)
  const more = results.length > resultsMax ? ` and ${results.length - resultsMax} more` : ''
  return `${results.length === 1 ? 'The tool' : 'The tools'} answered ${quoted.join(', ')}${more}.`
}

function reflect(text: string): string {
  if (text.trim() === '') return 'Your message has no text.'
  const tokens = countTokens(text)
  return `Your message has ${tokens} ${tokens === 1 ? 'token' : 'tokens'}: “${excerpt(text, excerptCharacters)}”.`
}

/** The beginning of a text on one line. */
function excerpt(text: string, charactersMax: number): string {
  const line = text
    .slice(0, 4 * charactersMax)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = Array.from(line)
  const cut = characters.length > charactersMax || text.length > 4 * charactersMax
  return cut ? `${characters.slice(0, charactersMax).join('')}…` : line
}

export const refusalText = `${introduction} It was asked to refuse, so it refuses.`
