import type { FoundEngine, FoundModel } from '../core/found-engine.ts'
import { modelSchema } from './schema/model-schema.ts'
import type { ModelSettings } from './schema.ts'

/** What is assumed of a model whose engine does not say (operator.md §1). */
const contextTokensDefault = 8_192
const outputTokensDefault = 2_048

interface Serving {
  readonly engineId: string
  readonly kind: FoundEngine['kind']
  readonly model: FoundModel
}

/**
 * The models of engines that were found, in the order in which they were. An id that several engines have is one model
 * with failover. What an engine says of itself is checked like a file: a model with an impossible id is left out.
 */
export function foundModels(found: readonly FoundEngine[]): readonly ModelSettings[] {
  const byId = new Map<string, Serving[]>()
  for (const { id: engineId, kind, models } of found) {
    for (const model of models) {
      const servings = byId.get(model.id) ?? []
      if (servings.every(other => other.engineId !== engineId)) servings.push({ engineId, kind, model })
      byId.set(model.id, servings)
    }
  }
  return [...byId].flatMap(([id, servings]) => modelSchema.safeParse(describeModel(id, servings)).data ?? [])
}

function describeModel(id: string, servings: readonly Serving[]) {
  const contextTokens = smallest(servings, model => model.contextTokens) ?? contextTokensDefault
  const all = (has: (model: FoundModel) => boolean): boolean => servings.every(({ model }) => has(model))
  return {
    id,
    ...(servings.every(({ kind }) => kind === 'anthropic') ? { family: 'claude' } : {}),
    served: servings.map(({ engineId, model }) => ({ engine: engineId, model: model.name })),
    contextTokens,
    // An answer as long as the whole context would leave no room for a prompt, and engines refuse it.
    maxOutputTokens: Math.min(
      smallest(servings, model => model.maxOutputTokens) ?? outputTokensDefault,
      Math.max(1, Math.floor(contextTokens / 2)),
    ),
    capabilities: {
      functionCalling: all(model => model.functionCalling),
      responseSchema: all(model => model.responseSchema),
      reasoning: all(model => model.reasoning),
      vision: all(model => model.vision),
      logProbs: all(model => model.logProbs),
    },
  }
}

/** The least that any of the engines says, so that each of them can answer. */
function smallest(servings: readonly Serving[], figure: (model: FoundModel) => number | null): number | null {
  const figures = servings.flatMap(({ model }) => figure(model) ?? [])
  return figures.length === 0 ? null : Math.min(...figures)
}
