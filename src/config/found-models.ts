import type { FoundEngine, FoundModel } from '../core/found-engine.ts'
import { modelSchema } from './schema/model-schema.ts'
import type { ModelSettings } from './schema.ts'

/** What is assumed of a model whose engine does not say (operator.md §1). */
const contextTokensDefault = 8_192
const outputTokensDefault = 2_048

interface Serving {
  readonly engineId: string
  readonly model: FoundModel
}

/**
 * The models of engines that were found, in the order in which they were. A name that several engines have is one model
 * with failover. What an engine says of itself is checked like a file: a model with an impossible name is left out.
 */
export function foundModels(found: readonly FoundEngine[]): readonly ModelSettings[] {
  const byName = new Map<string, Serving[]>()
  for (const { id: engineId, models } of found) {
    for (const model of models) {
      const servings = byName.get(model.name) ?? []
      if (servings.every(other => other.engineId !== engineId)) servings.push({ engineId, model })
      byName.set(model.name, servings)
    }
  }
  return [...byName].flatMap(([name, servings]) => modelSchema.safeParse(describeModel(name, servings)).data ?? [])
}

function describeModel(name: string, servings: readonly Serving[]) {
  const contextTokens = smallest(servings, model => model.contextTokens) ?? contextTokensDefault
  const all = (has: (model: FoundModel) => boolean): boolean => servings.every(({ model }) => has(model))
  return {
    id: name,
    served: servings.map(({ engineId }) => ({ engine: engineId, model: name })),
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
