import type { Model } from '../../../core/model.ts'
import { type Amount, formatUsd } from '../../../core/money.ts'
import type { JsonObject } from '../../../lib/json.ts'

/** The catalogue as clients of this surface choose from it (venice.md §8). */
export function encodeModelList(models: readonly Model[], type: string): JsonObject {
  return { object: 'list', type, data: models.map(encodeModel) }
}

/** A row of the list; by itself, what clients ask for by id. */
export function encodeModel(model: Model): JsonObject {
  return {
    id: model.id,
    object: 'model',
    owned_by: model.ownedBy,
    type: model.type,
    created: model.created,
    context_length: model.contextTokens,
    model_spec: encodeSpec(model),
  }
}

function encodeSpec(model: Model): JsonObject {
  return {
    name: model.name,
    description: model.description,
    privacy: model.privacy === 'anonymized' ? 'anonymized' : 'private',
    offline: false,
    availableContextTokens: model.contextTokens,
    maxCompletionTokens: model.maxOutputTokens,
    traits: [...model.traits],
    model_sets: [],
    capabilities: encodeCapabilities(model),
    constraints: Object.fromEntries(
      Object.entries(model.constraints).map(([name, constraint]) => [name, { default: constraint.default }]),
    ),
    pricing: encodePricing(model),
    ...(model.beta ? { beta: true } : {}),
    ...(model.deniedRegions.length === 0 ? {} : { regionRestrictions: [...model.deniedRegions] }),
    ...encodeDeprecation(model),
  }
}

function encodeCapabilities({ capabilities, reasoning, maxImages }: Model): JsonObject {
  return {
    optimizedForCode: capabilities.optimizedForCode,
    quantization: capabilities.quantization,
    supportsAudioInput: capabilities.audioInput,
    supportsE2EE: capabilities.e2ee,
    supportsFunctionCalling: capabilities.functionCalling,
    supportsLogProbs: capabilities.logProbs,
    supportsMultipleImages: capabilities.multipleImages,
    supportsReasoning: capabilities.reasoning,
    supportsReasoningEffort: capabilities.reasoningEffort,
    supportsResponseSchema: capabilities.responseSchema,
    supportsTeeAttestation: capabilities.teeAttestation,
    supportsVideoInput: capabilities.videoInput,
    supportsVision: capabilities.vision,
    supportsWebSearch: capabilities.webSearch,
    supportsXSearch: capabilities.xSearch,
    ...(capabilities.vision ? { maxImages } : {}),
    ...(reasoning === null ? {} : { reasoningEffortOptions: [...reasoning.efforts] }),
    ...(reasoning === null || reasoning.default === null ? {} : { defaultReasoningEffort: reasoning.default }),
  }
}

/** Dollars per million tokens, and for each search and page; a DIEM buys as much as a dollar. */
function encodePricing({ type, prices, capabilities }: Model): JsonObject {
  return {
    input: price(prices.inputNanoPerMillion),
    output: price(prices.outputNanoPerMillion),
    cache_input: price(prices.cacheReadNanoPerMillion),
    cache_write: price(prices.cacheWriteNanoPerMillion),
    ...(type === 'text' ? { web_search: price(prices.searchNano), web_scraping: price(prices.pageNano) } : {}),
    ...(capabilities.xSearch ? { x_search: price(prices.searchNano) } : {}),
  }
}

function price(nano: Amount): JsonObject {
  const amount = Number(formatUsd(nano))
  return { usd: amount, diem: amount }
}

function encodeDeprecation({ deprecation }: Model): JsonObject {
  if (deprecation === null) return {}
  const { date, successor, autoRemap } = deprecation
  const replacement = successor === null ? {} : { replacementModelId: successor }
  return { deprecation: { autoRemap, date, removesAt: date, ...replacement } }
}

/** Which model stands for a trait. */
export function encodeTraits(models: readonly Model[], type: string): JsonObject {
  return mappingOf(models, type, model => model.traits)
}

/** Names of other sellers and the models that answer to them. */
export function encodeCompatibility(models: readonly Model[], type: string): JsonObject {
  return mappingOf(models, type, model => model.compatibility)
}

function mappingOf(models: readonly Model[], type: string, namesOf: (model: Model) => readonly string[]): JsonObject {
  const pairs = models.flatMap(model => namesOf(model).map(name => [name, model.id] as const))
  return { object: 'list', type, data: Object.fromEntries(pairs) }
}
