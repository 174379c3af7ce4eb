import type { Composition, ReasoningWish } from '../../../core/completion-request.ts'
import type { VeniceSettings } from '../settings.ts'
import type { ChatFields } from './chat-schema.ts'

/** What the engine's body is made of beside messages and parameters: wishes that each engine spells in its own way. */
export function decodeComposition(
  fields: ChatFields,
  settings: VeniceSettings,
): Omit<Composition, 'messages' | 'mediaPaths' | 'parameters'> {
  return {
    reasoning: reasoningWish(fields, settings),
    persona: { characterSlug: settings.characterSlug, housePrompt: settings.includeVeniceSystemPrompt },
    promptCacheKey: fields.prompt_cache_key || null,
    cacheRetention: fields.prompt_cache_retention ?? null,
    endUserId: fields.anon_user_id || null,
    fallbacks: (fields.fallbacks ?? []).map(({ model }) => model),
    searchX: settings.enableXSearch,
  }
}

/** Switching thinking off says more than any effort, and an effort says more than whether there shall be thinking. */
function reasoningWish(fields: ChatFields, { disableThinking }: VeniceSettings): ReasoningWish {
  const { reasoning, reasoning_effort, text, verbosity } = fields
  const spoken = { summary: reasoning?.summary ?? null, verbosity: verbosity ?? text?.verbosity ?? null }
  if (disableThinking) return { effort: null, enabled: false, ...spoken }
  const effort = reasoning_effort ?? reasoning?.effort ?? null
  return { effort, enabled: effort === null ? (reasoning?.enabled ?? null) : null, ...spoken }
}
