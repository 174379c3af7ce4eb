import { Lexer } from 'yaml'

/** A MiB that people write has about a quarter of it; a MiB of nothing but signs has more. */
const tokensMax = 1_000_000
const flowDepthMax = 32

/**
 * What makes a text too much for the parser, which recurses and keeps every token; null when nothing does. Only tokens
 * are looked at, one by one.
 */
export function findYamlExcess(text: string): string | null {
  let tokens = 0
  let depth = 0
  for (const token of new Lexer().lex(text)) {
    tokens += 1
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    if (depth > flowDepthMax) return `is nested deeper than ${flowDepthMax} brackets`
    if (tokens > tokensMax) return 'is too long'
  }
  return null
}
