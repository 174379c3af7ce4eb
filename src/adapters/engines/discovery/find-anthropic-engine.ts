import type { Dispatcher } from 'undici'
import { z } from 'zod'
import type { FoundEngine, FoundModel } from '../../../core/found-engine.ts'
import type { JsonValue } from '../../../lib/json.ts'
import type { Secret } from '../../../lib/secret.ts'
import { apiVersion } from '../anthropic/anthropic-engine.ts'
import { claudeFacts } from '../anthropic/claude-facts.ts'
import { createAsk } from './ask-json.ts'
import { createFoundModel, statedTokens } from './found-model.ts'

const timeoutMs = 5_000
const modelsMax = 500

/** Of a model of which the list says nothing: what all of them have had for years. */
const contextTokensUsual = 200_000
const outputTokensUsual = 8_192

export interface AnthropicAccess {
  /** Up to and including `/v1`. */
  readonly baseUrl: string
  readonly apiKey: Secret
}

const modelRow = z.object({ id: z.string(), max_input_tokens: statedTokens, max_tokens: statedTokens })
const modelList = z.object({ data: z.array(modelRow.or(z.unknown())) })

/**
 * Claude, by the key of the environment (operator.md §1), with the models that the key may use.
 * @throws Error for the operator when it lists none: selling something else instead would be a surprise
 */
export async function findAnthropicEngine(
  { baseUrl, apiKey }: AnthropicAccess,
  dispatcher: Dispatcher,
): Promise<FoundEngine> {
  const headers = { 'x-api-key': apiKey.reveal(), 'anthropic-version': apiVersion }
  const ask = createAsk({ dispatcher, baseUrl, authorization: null, headers, timeoutMs })
  const models = readModels(await ask({ path: `/models?limit=${modelsMax}` }))
  if (models.length === 0) {
    throw new Error(
      `The API for ANTHROPIC_API_KEY (${baseUrl}) lists no models. ` +
        'Check the key, take it out of the environment, or name engine and models in rialto.yaml.',
    )
  }
  return { id: 'anthropic', kind: 'anthropic', preset: 'generic', baseUrl, apiKey, models }
}

function readModels(answer: JsonValue | null): readonly FoundModel[] {
  const rows = modelList.safeParse(answer).data?.data ?? []
  return rows.flatMap(row => modelRow.safeParse(row).data ?? []).map(describeModel)
}

function describeModel({ id, max_input_tokens, max_tokens }: z.infer<typeof modelRow>): FoundModel {
  const { canThink, keepsSchema } = claudeFacts(id)
  return createFoundModel(id, {
    contextTokens: max_input_tokens ?? contextTokensUsual,
    maxOutputTokens: max_tokens ?? outputTokensUsual,
    functionCalling: true,
    responseSchema: keepsSchema,
    reasoning: canThink,
    vision: true,
  })
}
