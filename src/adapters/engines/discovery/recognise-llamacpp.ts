import { z } from 'zod'
import type { FoundModel } from '../../../core/found-engine.ts'
import type { Ask } from './ask-json.ts'
import { createFoundModel, statedTokens } from './found-model.ts'
import { readModelList } from './model-list.ts'

const props = z.object({
  default_generation_settings: z.object({
    n_ctx: statedTokens,
    n_predict: statedTokens,
    params: z.object({ n_predict: statedTokens }).nullish().catch(null),
  }),
  total_slots: z.int(),
  chat_template: z.string().catch(''),
  modalities: z
    .object({ vision: z.boolean().catch(false) })
    .nullish()
    .catch(null),
})

/** llama.cpp's server: `/props` tells the context of a slot. An endless answer (-1) counts as not stated. */
export async function recogniseLlamacpp(ask: Ask): Promise<readonly FoundModel[] | null> {
  const [propsAnswer, listAnswer] = await Promise.all([ask({ path: '/props' }), ask({ path: '/v1/models' })])
  const parsed = props.safeParse(propsAnswer)
  if (!parsed.success) return null
  const { default_generation_settings: settings, chat_template, modalities } = parsed.data
  return readModelList(listAnswer).map(({ id }) =>
    createFoundModel(id, {
      contextTokens: settings.n_ctx ?? null,
      maxOutputTokens: settings.params?.n_predict ?? settings.n_predict ?? null,
      functionCalling: chat_template.includes('tools'),
      responseSchema: true,
      vision: modalities?.vision ?? false,
      logProbs: true,
    }),
  )
}
