import type { Dispatcher } from 'undici'
import type { FoundEngine } from '../../../core/found-engine.ts'
import type { Secret } from '../../../lib/secret.ts'
import { createAsk } from './ask-json.ts'
import { createFoundModel } from './found-model.ts'
import { type ModelRow, readModelList } from './model-list.ts'

/** It may be anywhere, so it gets more time than a neighbour on the same machine. */
const timeoutMs = 5_000

export interface EnvironmentEngine {
  readonly baseUrl: string
  readonly apiKey: Secret | null
}

/**
 * The engine that the environment names (operator.md §1), with the models that it lists.
 * @throws Error for the operator when it lists none: selling something else instead would be a surprise
 */
export async function findEnvironmentEngine(
  { baseUrl, apiKey }: EnvironmentEngine,
  dispatcher: Dispatcher,
): Promise<FoundEngine> {
  const authorization = apiKey === null ? null : `Bearer ${apiKey.reveal()}`
  const ask = createAsk({ dispatcher, baseUrl, authorization, timeoutMs })
  const rows = readModelList(await ask({ path: '/models' }))
  if (rows.length === 0) {
    throw new Error(
      `The engine at OPENAI_BASE_URL (${baseUrl}) lists no models. ` +
        'Start it, check OPENAI_API_KEY, or name engine and models in rialto.yaml.',
    )
  }
  const models = rows.map(describeModel)
  return { id: 'environment', kind: 'openai', preset: presetOf(baseUrl, rows), baseUrl, apiKey, models }
}

function describeModel({ id, max_model_len, context_length }: ModelRow) {
  return createFoundModel(id, { contextTokens: max_model_len ?? context_length ?? null })
}

const presetByOwner: Readonly<Record<string, string>> = {
  vllm: 'vllm',
  sglang: 'sglang',
  llamacpp: 'llamacpp',
  library: 'ollama',
  organization_owner: 'lmstudio',
}

/** Programs sign their model lists as the owner; OpenAI itself is known by its address. */
function presetOf(baseUrl: string, rows: readonly ModelRow[]): string {
  if (new URL(baseUrl).hostname === 'api.openai.com') return 'openai'
  const owner = rows.find(({ owned_by }) => owned_by !== null)?.owned_by ?? ''
  return Object.hasOwn(presetByOwner, owner) ? (presetByOwner[owner] ?? 'generic') : 'generic'
}
