import { z } from 'zod'
import type { FoundModel } from '../../../core/found-engine.ts'
import type { Ask } from './ask-json.ts'
import { createFoundModel } from './found-model.ts'
import { readModelList } from './model-list.ts'

const version = z.object({ version: z.string() })

/** vLLM: `/version` answers, and its model list states `max_model_len`. An adapter has the context of its base model. */
export async function recogniseVllm(ask: Ask): Promise<readonly FoundModel[] | null> {
  const [versionAnswer, listAnswer] = await Promise.all([ask({ path: '/version' }), ask({ path: '/v1/models' })])
  const rows = readModelList(listAnswer)
  const contexts = new Map(rows.map(row => [row.id, row.max_model_len ?? null]))
  const isVllm = version.safeParse(versionAnswer).success && rows.some(row => row.max_model_len)
  if (!isVllm) return null
  return rows.map(({ id, max_model_len, parent }) =>
    createFoundModel(id, {
      contextTokens: max_model_len ?? contexts.get(parent ?? '') ?? null,
      responseSchema: true,
      logProbs: true,
    }),
  )
}
