import { z } from 'zod'
import type { FoundModel } from '../../../core/found-engine.ts'
import type { Ask } from './ask-json.ts'
import { createFoundModel, statedTokens } from './found-model.ts'
import { readModelList } from './model-list.ts'

const row = z.object({
  id: z.string(),
  type: z.enum(['llm', 'vlm', 'embeddings']),
  max_context_length: statedTokens,
  loaded_context_length: statedTokens,
  capabilities: z.array(z.string()).nullish().catch(null),
})
const ownList = z.object({ data: z.array(row).max(500) })

/** LM Studio: its own list tells types and contexts; older releases have the common list only, with a peculiar owner. */
export async function recogniseLmstudio(ask: Ask): Promise<readonly FoundModel[] | null> {
  const [ownAnswer, listAnswer] = await Promise.all([ask({ path: '/api/v0/models' }), ask({ path: '/v1/models' })])
  const own = ownList.safeParse(ownAnswer)
  if (own.success) return own.data.data.filter(({ type }) => type !== 'embeddings').map(describeModel)
  const rows = readModelList(listAnswer).filter(({ owned_by }) => owned_by === 'organization_owner')
  return rows.length === 0 ? null : rows.map(({ id }) => createFoundModel(id, { responseSchema: true }))
}

function describeModel({ id, type, capabilities, ...stated }: z.infer<typeof row>): FoundModel {
  return createFoundModel(id, {
    contextTokens: stated.loaded_context_length ?? stated.max_context_length ?? null,
    functionCalling: capabilities?.includes('tool_use') ?? false,
    responseSchema: true,
    vision: type === 'vlm',
  })
}
