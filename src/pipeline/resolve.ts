import type { CompletionRequest } from '../core/completion-request.ts'
import { GatewayError } from '../core/gateway-error.ts'
import type { Model } from '../core/model.ts'
import { holdBound } from '../domain/admission/hold-bound.ts'
import type { Catalog } from '../domain/catalog/catalog.ts'
import { checkModelAllowed } from '../domain/identity/key-policy.ts'
import type { Received, Resolved } from './stages.ts'

/**
 * Which model, with which bounds. Pure: looks things up and refuses, changes nothing.
 * @throws GatewayError model_not_found, model_not_allowed, invalid_value, not_configured
 */
export function resolve(catalog: Catalog, received: Received): Resolved {
  const { request, principal } = received
  const model = catalog.resolve(request.modelId)
  checkModelAllowed(principal, model.id)
  if (request.search !== null) throw searchNotConfigured()
  checkChoices(request, model)
  const outputLimit = effectiveOutputLimit(request, model)
  const bound = holdBound(request.prompt, model)
  return { ...received, model, outputLimit, promptTokensBound: bound.promptTokens, fixedNano: bound.fixedNano }
}

function checkChoices(request: CompletionRequest, model: Model): void {
  if (request.choices <= model.maxChoices) return
  const message = `\`n\` is ${request.choices}; ${model.id} gives at most ${model.maxChoices} choices.`
  throw new GatewayError('invalid_value', message, { param: 'n' })
}

function effectiveOutputLimit(request: CompletionRequest, model: Model): number {
  const asked = request.outputLimit ?? model.maxOutputTokens
  if (asked <= model.maxOutputTokens || request.policy.overCap === 'clamp')
    return Math.min(asked, model.maxOutputTokens)
  const message = `The output limit is ${asked}; ${model.id} gives at most ${model.maxOutputTokens} tokens.`
  throw new GatewayError('invalid_value', message, { param: 'max_completion_tokens' })
}

function searchNotConfigured(): GatewayError {
  return new GatewayError(
    'not_configured',
    'This gateway has no web search. Ask without `:online` and without `web_search`.',
    { param: 'model' },
  )
}
