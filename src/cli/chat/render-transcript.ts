import type { Conversation } from './conversation.ts'

/** The conversation as Markdown. */
export function renderTranscript({ model, system, messages }: Conversation): string {
  const parts = messages.map(({ role, content }) => `## ${role === 'user' ? 'You' : model}\n\n${content}`)
  return `${[`# Chat with ${model}`, ...(system === null ? [] : [`> ${system.replace(/\n/g, '\n> ')}`]), ...parts].join('\n\n')}\n`
}
