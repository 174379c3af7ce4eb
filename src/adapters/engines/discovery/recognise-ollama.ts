import { z } from 'zod'
import type { FoundModel } from '../../../core/found-engine.ts'
import type { JsonValue } from '../../../lib/json.ts'
import type { Ask } from './ask-json.ts'
import { createFoundModel, statedTokens } from './found-model.ts'

const tags = z.object({ models: z.array(z.object({ name: z.string(), digest: z.string() })) })
const details = z.object({
  model_info: z.record(z.string(), z.unknown()).catch({}),
  parameters: z.string().catch(''),
  capabilities: z.array(z.string()).nullish().catch(null),
})

/** Each model is a question of its own; four rounds of them do not hold up a start. */
const modelsMax = 64
const askedAtATime = 16

/** Ollama: `/api/tags` lists models with their digests, `/api/show` tells about each. */
export async function recogniseOllama(ask: Ask): Promise<readonly FoundModel[] | null> {
  const answer = tags.safeParse(await ask({ path: '/api/tags' }))
  if (!answer.success) return null
  const names = answer.data.models.slice(0, modelsMax).map(({ name }) => name)
  const models: FoundModel[] = []
  for (let from = 0; from < names.length; from += askedAtATime) {
    const some = names.slice(from, from + askedAtATime)
    const shown = await Promise.all(some.map(name => ask({ path: '/api/show', body: { model: name } })))
    models.push(...some.flatMap((name, at) => describeModel(name, shown[at] ?? null)))
  }
  return models
}

/** None for a model that does not chat. */
function describeModel(name: string, shown: JsonValue | null): readonly FoundModel[] {
  const { model_info, parameters, capabilities } = details.safeParse(shown).data ?? details.parse({})
  if (capabilities && !capabilities.includes('completion')) return []
  const longest = Object.entries(model_info).find(([key]) => key.endsWith('.context_length'))?.[1]
  return [
    createFoundModel(name, {
      contextTokens: parameterOf(parameters, 'num_ctx') ?? statedTokens.parse(longest) ?? null,
      maxOutputTokens: parameterOf(parameters, 'num_predict'),
      functionCalling: capabilities?.includes('tools') ?? false,
      reasoning: capabilities?.includes('thinking') ?? false,
      vision: capabilities?.includes('vision') ?? false,
      responseSchema: true,
    }),
  ]
}

/** The modelfile's parameters come as lines of name and value. A value of 0 or below stands for no bound. */
function parameterOf(parameters: string, name: string): number | null {
  const match = new RegExp(`^${name}\\s+(\\d{1,9})\\s*$`, 'm').exec(parameters)
  return statedTokens.parse(match === null ? null : Number(match[1])) ?? null
}
