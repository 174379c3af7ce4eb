import { cleanText } from './clean-text.ts'
import type { SearchResult } from './types.ts'

/** A result as a provider gives it, before anybody looked at it. */
export interface RawResult {
  readonly title: string | null
  readonly url: string
  readonly content: string | null
  readonly date: string | null
}

const titleCharactersMax = 300
const contentCharactersMax = 2_000
const dateCharactersMax = 64
const urlCharactersMax = 2_048

/**
 * Results as they may be shown and put into a prompt: addresses of web pages only, each once, texts cleaned and cut, at
 * most `limit`, in the order in which they came.
 */
export function cleanResults(raw: Iterable<RawResult>, limit: number): readonly SearchResult[] {
  const results: SearchResult[] = []
  const seen = new Set<string>()
  for (const one of raw) {
    if (results.length >= limit) break
    const url = readUrl(one.url)
    if (url === null || seen.has(keyOf(url))) continue
    seen.add(keyOf(url))
    results.push({
      title: cleanText(one.title ?? '', titleCharactersMax) || url.hostname,
      url: url.href,
      content: cleanText(one.content ?? '', contentCharactersMax),
      date: cleanText(one.date ?? '', dateCharactersMax) || null,
    })
  }
  return results
}

function readUrl(text: string): URL | null {
  if (text.length > urlCharactersMax || !URL.canParse(text)) return null
  const url = new URL(text)
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hostname !== ''
  return isPlain && url.href.length <= urlCharactersMax ? url : null
}

/** Addresses that lead to the same page: the place within it, the scheme and a last slash make no other page. */
function keyOf({ host, pathname, search }: URL): string {
  return `${host}${pathname.replace(/\/+$/, '')}${search}`
}
