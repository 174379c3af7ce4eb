import { z } from 'zod'
import { defaultSettings, type VeniceSettings } from '../settings.ts'
import { flag, oneOf, text } from './fields.ts'

/** The switch may also be a boolean (venice.md §19). */
const searchMode = z.preprocess(
  mode => (typeof mode === 'boolean' ? { true: 'on', false: 'off' }[`${mode}`] : mode),
  oneOf(['off', 'on', 'auto']),
)

/** `venice_parameters` as they are written: not strict, so that keys of tomorrow do no harm (venice.md §1.7). */
export const veniceParametersSchema = z.object({
  character_slug: text(),
  strip_thinking_response: flag(),
  disable_thinking: flag(),
  enable_e2ee: flag(),
  enable_web_search: searchMode,
  enable_web_scraping: flag(),
  enable_web_citations: flag(),
  include_search_results_in_stream: flag(),
  return_search_results_as_documents: flag(),
  include_venice_system_prompt: flag(),
  enable_x_search: flag(),
})

export type VeniceParameters = Partial<z.output<typeof veniceParametersSchema>>

/** What takes effect of what was asked for; a key that is not there has its default. */
export function effectiveSettings(asked: VeniceParameters): VeniceSettings {
  const defaults = defaultSettings
  return {
    characterSlug: asked.character_slug || defaults.characterSlug,
    stripThinkingResponse: asked.strip_thinking_response ?? defaults.stripThinkingResponse,
    disableThinking: asked.disable_thinking ?? defaults.disableThinking,
    enableE2ee: asked.enable_e2ee ?? defaults.enableE2ee,
    enableWebSearch: asked.enable_web_search ?? defaults.enableWebSearch,
    enableWebScraping: asked.enable_web_scraping ?? defaults.enableWebScraping,
    enableWebCitations: asked.enable_web_citations ?? defaults.enableWebCitations,
    includeSearchResultsInStream: asked.include_search_results_in_stream ?? defaults.includeSearchResultsInStream,
    returnSearchResultsAsDocuments: asked.return_search_results_as_documents ?? defaults.returnSearchResultsAsDocuments,
    includeVeniceSystemPrompt: asked.include_venice_system_prompt ?? defaults.includeVeniceSystemPrompt,
    enableXSearch: asked.enable_x_search ?? defaults.enableXSearch,
  }
}
