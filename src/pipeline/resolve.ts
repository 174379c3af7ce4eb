import type { CompletionRequest } from '../core/completion-request.ts'
import { GatewayError } from '../core/gateway-error.ts'
import type { Model } from '../core/model.ts'
import { holdBound } from '../domain/admission/hold-bound.ts'
import type { Catalog } from '../domain/catalog/catalog.ts'
import { checkRegion } from '../domain/catalog/check-region.ts'
import { gateRequest } from '../domain/catalog/gate-request.ts'
import { checkModelAllowed } from '../domain/identity/key-policy.ts'
import type { JsonObject } from '../lib/json.ts'
import { type ComposeGround, composeDraft } from './compose/compose-draft.ts'
import type { Draft } from './compose/draft.ts'
import { forwardDraft } from './compose/forward-draft.ts'
import { feesOfPlan, type PageAllowance, planGrounding, promptWithContext } from './grounding/plan-grounding.ts'
import { servedFor } from './media/served-for.ts'
import { withXSearch } from './owed-fees.ts'
import type { Received, Resolved } from './stages.ts'

/** What a request is resolved against. */
export interface ResolveGround extends ComposeGround {
  readonly catalog: Catalog
  /** Ids of the engines that may be handed callers' addresses. */
  readonly urlFetchers: ReadonlySet<string>
  /** Ids of the engines that search X by themselves when they are told to. */
  readonly xSearchers: ReadonlySet<string>
  readonly pages: PageAllowance
}

/**
 * Which model, with which bounds, and with which body. Pure: looks things up and refuses, changes nothing.
 * @throws GatewayError model_not_found, region_restricted, character_not_found, those of checkModelAllowed, unsupported_feature,
 * invalid_value
 */
export function resolve(ground: ResolveGround, received: Received): Resolved {
  const { request, principal } = received
  const model = ground.catalog.resolve(request.modelId, request.policy.modelNames)
  checkModelAllowed(principal, model)
  checkRegion(model, received.region)
  gateRequest(request, model)
  checkChoices(request, model)
  const outputLimit = effectiveOutputLimit(request, model)
  const draft = draftFor(request, model, ground)
  const plan = planGrounding(request.grounding, { messages: messagesOf(request), model, pages: ground.pages })
  const served = servedFor(draft.media, model, ground.urlFetchers)
  const xServed = wantsX(request, model) ? served.filter(({ engineId }) => ground.xSearchers.has(engineId)) : []
  const searchesX = xServed.length > 0
  const bound = holdBound(promptWithContext(draft.prompt, plan), model, withXSearch(feesOfPlan(plan), searchesX))
  return {
    ...received,
    model,
    shownModelId: request.policy.shownModel === 'asked' ? request.modelId : model.id,
    draft,
    plan,
    searchesX,
    served: searchesX ? xServed : served,
    outputLimit,
    promptTokensBound: bound.promptTokens,
    fixedNano: bound.fixedNano,
  }
}

function draftFor({ content }: CompletionRequest, model: Model, ground: ComposeGround): Draft {
  if (content.kind === 'composed') return composeDraft(content.composition, model, ground)
  return forwardDraft(content, model)
}

/** Where the model cannot, the wish is ignored (venice.md §3). */
function wantsX({ content }: CompletionRequest, { capabilities }: Model): boolean {
  return content.kind === 'composed' && content.composition.searchX && capabilities.xSearch
}

function messagesOf({ content }: CompletionRequest): readonly JsonObject[] {
  return content.kind === 'composed' ? content.composition.messages : content.media.messages
}

function checkChoices(request: CompletionRequest, model: Model): void {
  if (request.choices <= model.maxChoices) return
  const message = `\`n\` is ${request.choices}; ${model.id} gives at most ${model.maxChoices} choices.`
  throw new GatewayError('invalid_value', message, { param: 'n' })
}

/** A limit above the model's own is refused only where both the dialect and the model say so. */
function effectiveOutputLimit(request: CompletionRequest, model: Model): number {
  const asked = request.outputLimit ?? model.maxOutputTokens
  if (asked <= model.maxOutputTokens || request.policy.overCap === 'clamp' || !model.apiCap)
    return Math.min(asked, model.maxOutputTokens)
  const message = `max_completion_tokens (${asked}) exceeds the maximum allowed for model '${model.id}' (${model.maxOutputTokens})`
  throw new GatewayError('invalid_value', message, { param: 'max_completion_tokens' })
}
