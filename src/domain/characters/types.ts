/** A persona that callers may ask for by its slug (venice.md §19, "character"). */
export interface Character {
  /** Lower-case letters, digits and dashes. */
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly systemPrompt: string
  /** Example turns that stand before the conversation. */
  readonly contextMessages: readonly ContextMessage[]
  /** True: its own prompt replaces the house's instead of following it. */
  readonly customSystemPrompt: boolean
  /** The model that it was written for; null for any. */
  readonly modelId: string | null
  readonly tags: readonly string[]
  readonly adult: boolean
  readonly featured: boolean
  readonly webEnabled: boolean
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

interface ContextMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
}
