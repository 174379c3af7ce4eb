import type { Persona } from '../../core/completion-request.ts'
import { estimateTokens } from '../../core/usage.ts'
import type { Characters } from '../../domain/characters/characters.ts'
import { countCodePoints } from '../../lib/code-points.ts'
import type { JsonObject } from '../../lib/json.ts'

export interface PersonaMessages {
  /** Stand before everything of the caller's. */
  readonly messages: readonly JsonObject[]
  /** Each prompt and turn of them. */
  readonly texts: readonly string[]
  /** About how many tokens of the prompt are not the caller's own: they are billed, so they are reported. */
  readonly injectedTokens: number
}

/**
 * Whose words come first: the house's, then the character's, then the caller's own system messages (venice.md §9).
 * A character with a prompt of its own kind speaks instead of the house.
 * @throws GatewayError character_not_found
 */
export function personaMessages(
  { characterSlug, housePrompt }: Persona,
  { house, characters }: { readonly house: string; readonly characters: Pick<Characters, 'find'> },
): PersonaMessages {
  const character = characterSlug === null ? null : characters.find(characterSlug)
  const speaksForHouse = housePrompt && house !== '' && character?.customSystemPrompt !== true
  const prompts = [speaksForHouse ? house : '', character?.systemPrompt ?? ''].filter(prompt => prompt !== '')
  const messages = [
    ...(prompts.length === 0 ? [] : [{ role: 'system', content: prompts.join('\n\n') }]),
    ...(character?.contextMessages ?? []).map(({ role, content }) => ({ role, content })),
  ]
  const length = messages.reduce((sum, { content }) => sum + countCodePoints(content), 0)
  const texts = [...prompts, ...(character?.contextMessages ?? []).map(({ content }) => content)]
  return { messages, texts, injectedTokens: estimateTokens(length) }
}
