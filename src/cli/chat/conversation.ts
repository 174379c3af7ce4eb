import type { Amount } from '../../core/money.ts'
import type { AnswerUsage } from '../../dialects/venym/decode-answer.ts'
import type { JsonObject } from '../../lib/json.ts'

interface ChatMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

export interface ChatSettings {
  readonly maxTokens: number | null
  readonly temperature: number | null
}

export interface ChatTotals {
  readonly answers: number
  readonly tokens: number
  readonly costNano: Amount
}

/** What was said so far, with whom, and what it cost. */
export interface Conversation {
  model: string
  /** Null for none. */
  system: string | null
  readonly messages: readonly ChatMessage[]
  readonly totals: ChatTotals
  /** The body that asks for the answer to a message; the message is not remembered yet. */
  requestFor(text: string): JsonObject
  /** Remembers a message with its answer. A message without an answer is forgotten, so that it can be sent again. */
  remember(text: string, answer: string): void
  count(usage: AnswerUsage): void
  /** Forgets what was said; what it cost stays. */
  clear(): void
}

export function createConversation(
  { model, system }: Pick<Conversation, 'model' | 'system'>,
  settings: ChatSettings,
): Conversation {
  let messages: readonly ChatMessage[] = []
  let totals: ChatTotals = { answers: 0, tokens: 0, costNano: 0n }
  const conversation: Conversation = {
    model,
    system,
    get messages() {
      return messages
    },
    get totals() {
      return totals
    },
    requestFor: text => ({
      model: conversation.model,
      messages: [
        ...(conversation.system === null ? [] : [{ role: 'system', content: conversation.system }]),
        ...messages.map(message => ({ ...message })),
        { role: 'user', content: text },
      ],
      stream: true,
      ...(settings.maxTokens === null ? {} : { max_tokens: settings.maxTokens }),
      ...(settings.temperature === null ? {} : { temperature: settings.temperature }),
    }),
    remember(text, answer) {
      if (answer !== '')
        messages = [...messages, { role: 'user', content: text }, { role: 'assistant', content: answer }]
    },
    count({ promptTokens, completionTokens, costNano }) {
      totals = {
        answers: totals.answers + 1,
        tokens: totals.tokens + promptTokens + completionTokens,
        costNano: totals.costNano + (costNano ?? 0n),
      }
    },
    clear() {
      messages = []
    },
  }
  return conversation
}
