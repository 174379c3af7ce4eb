import { z } from 'zod'
import { searchError } from '../../openai/schemas/search-error.ts'

const citation = z.object({ title: z.string(), url: z.string(), content: z.string(), date: z.string() })

/** What `encode-settings.ts` writes: the settings that took effect (venice.md §2.1). */
export const settings = z
  .object({
    character_slug: z.string().optional(),
    disable_thinking: z.boolean(),
    enable_e2ee: z.boolean(),
    enable_web_citations: z.boolean(),
    enable_web_scraping: z.boolean(),
    enable_web_search: z.enum(['off', 'on', 'auto']),
    enable_x_search: z.boolean(),
    include_search_results_in_stream: z.boolean(),
    include_venice_system_prompt: z.boolean(),
    return_search_results_as_documents: z.boolean(),
    strip_thinking_response: z.boolean(),
    web_search_citations: z
      .array(citation)
      .describe('What was found, in the order of the marks; empty where nothing was looked up.'),
    search_error: searchError.optional(),
  })
  .meta({ id: 'ApiV1Settings' })
