import type { JsonObject } from '../../../lib/json.ts'
import type { VeniceSettings } from '../settings.ts'

/** The echo in an answer: every key always there, the character's only when one was asked for (venice.md §2.1). */
export function encodeSettings(settings: VeniceSettings): JsonObject {
  return {
    ...(settings.characterSlug === null ? {} : { character_slug: settings.characterSlug }),
    disable_thinking: settings.disableThinking,
    enable_e2ee: settings.enableE2ee,
    enable_web_citations: settings.enableWebCitations,
    enable_web_scraping: settings.enableWebScraping,
    enable_web_search: settings.enableWebSearch,
    enable_x_search: settings.enableXSearch,
    include_search_results_in_stream: settings.includeSearchResultsInStream,
    include_venice_system_prompt: settings.includeVeniceSystemPrompt,
    return_search_results_as_documents: settings.returnSearchResultsAsDocuments,
    strip_thinking_response: settings.stripThinkingResponse,
    web_search_citations: [],
  }
}
