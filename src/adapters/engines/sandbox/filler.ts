const words = [
  'These',
  'words',
  'say',
  'nothing;',
  'they',
  'are',
  'here',
  'to',
  'be',
  'counted',
  'and',
  'paid.',
] as const

const round = `${words.join(' ')} `

/** The longest word that is one token together with the blank before it. */
const longWord = 'characteristics '

/** Text of exactly so many tokens. */
export function fillerOfTokens(tokens: number): string {
  const rounds = Math.floor(tokens / words.length)
  return `${round.repeat(rounds)}${words.slice(0, tokens % words.length).join(' ')}`.trimEnd()
}

/** Text of exactly so many bytes, in as few tokens as possible. */
export function fillerOfBytes(bytes: number): string {
  return longWord.repeat(Math.ceil(bytes / longWord.length)).slice(0, bytes)
}
