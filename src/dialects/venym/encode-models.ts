import type { Capabilities, Model } from '../../core/model.ts'
import type { Amount } from '../../core/money.ts'
import type { JsonObject } from '../../lib/json.ts'

/** The OpenAI list with what a caller needs to choose: limits, capabilities and prices (venym.md §1). */
export function encodeModelList(models: readonly Model[]): JsonObject {
  return { object: 'list', data: models.map(encodeModel) }
}

export function encodeModel(model: Model): JsonObject {
  return {
    id: model.id,
    object: 'model',
    created: model.created,
    owned_by: model.ownedBy,
    name: model.name,
    description: model.description,
    context_length: model.contextTokens,
    max_output_tokens: model.maxOutputTokens,
    capabilities: encodeCapabilities(model.capabilities),
    pricing: encodePricing(model),
    free: model.free,
  }
}

function encodeCapabilities(capabilities: Capabilities): string[] {
  const named: readonly (readonly [string, boolean])[] = [
    ['json', capabilities.responseSchema],
    ['json_schema', capabilities.responseSchema],
    ['tools', capabilities.functionCalling],
    ['vision', capabilities.vision],
    ['audio', capabilities.audioInput],
    ['video', capabilities.videoInput],
    ['reasoning', capabilities.reasoning],
    ['logprobs', capabilities.logProbs],
    ['web_search', capabilities.webSearch],
    ['e2ee', capabilities.e2ee],
  ]
  return named.filter(([, has]) => has).map(([name]) => name)
}

function encodePricing({ prices }: Model): JsonObject {
  return {
    prompt: perToken(prices.inputNanoPerMillion),
    completion: perToken(prices.outputNanoPerMillion),
    input_cache_read: perToken(prices.cacheReadNanoPerMillion),
    input_cache_write: perToken(prices.cacheWriteNanoPerMillion),
    web_search: decimal(prices.searchNano, 9),
    web_page: decimal(prices.pageNano, 9),
  }
}

/** Nano-USD per million tokens → USD per token: fifteen decimals hold it exactly. */
function perToken(nanoPerMillion: Amount): string {
  return decimal(nanoPerMillion, 15)
}

function decimal(units: Amount, places: number): string {
  const digits = units.toString().padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '')
  const whole = digits.slice(0, -places)
  return fraction === '' ? whole : `${whole}.${fraction}`
}
