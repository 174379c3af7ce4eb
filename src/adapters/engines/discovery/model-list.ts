import { z } from 'zod'
import type { JsonValue } from '../../../lib/json.ts'
import { statedTokens } from './found-model.ts'

const modelsMax = 500

/** A row of `/v1/models`, with the additions of several programs. */
const modelRow = z.object({
  id: z.string(),
  owned_by: z.string().nullish().catch(null),
  parent: z.string().nullish().catch(null),
  max_model_len: statedTokens,
  context_length: statedTokens,
})
const modelList = z.object({ data: z.array(modelRow.or(z.unknown())) })

export type ModelRow = z.infer<typeof modelRow>

/** The rows of an OpenAI-compatible model list that have an id, at most 500; none for any other answer. */
export function readModelList(answer: JsonValue | null): readonly ModelRow[] {
  const rows = modelList.safeParse(answer).data?.data ?? []
  return rows.flatMap(row => modelRow.safeParse(row).data ?? []).slice(0, modelsMax)
}
