import { custom } from './issues/issue-wording.ts'
import type { Problems } from './issues/problems.ts'
import type { VeniceParameters } from './venice-parameters.ts'

export type SuffixSettings = Omit<VeniceParameters, 'enable_e2ee' | 'enable_x_search'>

const switches: readonly string[] = ['true', 'false']

/** The settings that a suffix may hold, with the words that they take; null takes any text (venice.md §1.6). */
const wordsOf: ReadonlyMap<string, readonly string[] | null> = new Map([
  ['enable_web_search', ['on', 'off', 'auto']],
  ['enable_web_citations', switches],
  ['enable_web_scraping', switches],
  ['include_venice_system_prompt', switches],
  ['include_search_results_in_stream', switches],
  ['return_search_results_as_documents', switches],
  ['character_slug', null],
  ['strip_thinking_response', switches],
  ['disable_thinking', switches],
])

/**
 * `disable_thinking=true&enable_web_search=on` → settings. Unknown keys say nothing; a known key whose value it does not
 * take is a problem of the model's name.
 */
export function decodeSuffix(suffix: string, problems: Problems): SuffixSettings {
  const settings: Record<string, string | boolean> = {}
  for (const pair of suffix.split('&')) {
    const key = pair.split('=', 1)[0] ?? ''
    const words = wordsOf.get(key)
    if (words === undefined) continue
    const value = decodeValue(pair.slice(key.length + 1))
    if (takes(words, value)) settings[key] = words === switches ? value === 'true' : value
    else problems.add(['model'], custom(`The model suffix ${key} takes ${words?.join(' or ') ?? 'a URL-encoded text'}`))
  }
  return settings
}

function takes(words: readonly string[] | null, value: string | null): value is string {
  return words === null ? value !== null && value !== '' : words.includes(value ?? '')
}

/** Null for a percent sign that begins no escape of UTF-8. */
function decodeValue(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
