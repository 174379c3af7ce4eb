import type { GroundingWish } from '../../../core/grounding.ts'
import type { VeniceSettings } from '../settings.ts'

/** As many as a search brings (venice.md §3). */
const results = 10

/** What the settings say of the web; null for nothing. */
export function groundingWish(settings: VeniceSettings): GroundingWish | null {
  const { enableWebSearch, enableWebScraping } = settings
  if (enableWebSearch === 'off' && !enableWebScraping) return null
  return {
    search: enableWebSearch,
    results,
    scrape: enableWebScraping,
    // Pages replace the search whatever they answer, and a search costs its own fee alone (venice.md §3).
    searchUnread: false,
    readResults: false,
    marks: settings.enableWebCitations ? 'carets' : null,
    asDocuments: settings.returnSearchResultsAsDocuments,
    withoutSearch: 'answer',
  }
}
