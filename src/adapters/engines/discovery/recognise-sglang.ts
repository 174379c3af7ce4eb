import { z } from 'zod'
import type { FoundModel } from '../../../core/found-engine.ts'
import type { Ask } from './ask-json.ts'
import { createFoundModel } from './found-model.ts'
import { readModelList } from './model-list.ts'

const modelInfo = z.object({
  model_path: z.string(),
  is_generation: z.boolean(),
  has_image_understanding: z.boolean().nullish().catch(null),
})

/** SGLang: `/get_model_info` says what it runs, and whether that generates at all. */
export async function recogniseSglang(ask: Ask): Promise<readonly FoundModel[] | null> {
  const [infoAnswer, listAnswer] = await Promise.all([ask({ path: '/get_model_info' }), ask({ path: '/v1/models' })])
  const info = modelInfo.safeParse(infoAnswer)
  if (!info.success) return null
  if (!info.data.is_generation) return []
  return readModelList(listAnswer).map(({ id, max_model_len }) =>
    createFoundModel(id, {
      contextTokens: max_model_len ?? null,
      responseSchema: true,
      vision: info.data.has_image_understanding ?? false,
      logProbs: true,
    }),
  )
}
