import { z } from 'zod'
import { line, list, modelName, prose } from './fields.ts'

const promptCharactersMax = 100_000
const contextMessagesMax = 50
const tagsMax = 20

/** One file of the folder `characters.dir` (venice.md §19, "character"). */
export const characterSchema = z.strictObject({
  slug: z.string().regex(/^[a-z0-9-]{1,100}$/, 'must be 1 to 100 of a-z, 0-9 and -'),
  name: line(100).min(1, 'must not be empty'),
  description: prose(2_000).default(''),
  systemPrompt: prose(promptCharactersMax).min(1, 'must not be empty'),
  contextMessages: list(
    z.strictObject({ role: z.enum(['user', 'assistant']), content: prose(20_000).min(1, 'must not be empty') }),
    contextMessagesMax,
  ).default([]),
  customSystemPrompt: z.boolean().default(false),
  modelId: modelName().nullable().default(null),
  tags: list(line(100).min(1, 'must not be empty'), tagsMax).default([]),
  adult: z.boolean().default(false),
  featured: z.boolean().default(false),
  webEnabled: z.boolean().default(false),
})

export type CharacterSettings = z.output<typeof characterSchema>
