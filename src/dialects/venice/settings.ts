/** The effective `venice_parameters` of a request: what was asked for, completed with the defaults (venice.md §1.7). */
export interface VeniceSettings {
  readonly characterSlug: string | null
  readonly stripThinkingResponse: boolean
  readonly disableThinking: boolean
  readonly enableE2ee: boolean
  readonly enableWebSearch: 'off' | 'on' | 'auto'
  readonly enableWebScraping: boolean
  readonly enableWebCitations: boolean
  readonly includeSearchResultsInStream: boolean
  readonly returnSearchResultsAsDocuments: boolean
  readonly includeVeniceSystemPrompt: boolean
  readonly enableXSearch: boolean
}

export const defaultSettings: VeniceSettings = {
  characterSlug: null,
  stripThinkingResponse: false,
  disableThinking: false,
  enableE2ee: true,
  enableWebSearch: 'off',
  enableWebScraping: false,
  enableWebCitations: false,
  includeSearchResultsInStream: false,
  returnSearchResultsAsDocuments: false,
  includeVeniceSystemPrompt: true,
  enableXSearch: false,
}
