import type { CompletionPolicy } from '../../../core/completion-policy.ts'
import type { CompletionRequest } from '../../../core/completion-request.ts'
import { GatewayError } from '../../../core/gateway-error.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { VeniceSettings } from '../settings.ts'
import { capabilityNeeds } from './capability-needs.ts'
import { chatSchema } from './chat-schema.ts'
import { decodeComposition } from './decode-composition.ts'
import { engineParameters } from './engine-parameters.ts'
import { groundingWish } from './grounding-wish.ts'
import { Problems } from './issues/problems.ts'
import { decodeMessages } from './messages/decode-messages.ts'
import { decodeModelName, type ModelNames } from './model-name.ts'
import { rewriteBody } from './rewrite-body.ts'
import { decodeToolChoice } from './tools/decode-tool-choice.ts'
import { decodeTools } from './tools/decode-tools.ts'
import { effectiveSettings } from './venice-parameters.ts'

export interface DecodedVeniceChat {
  readonly request: CompletionRequest
  readonly settings: VeniceSettings
}

export const policy: CompletionPolicy = {
  overCap: 'reject',
  emptyAnswer: 'free_tokens',
  shownModel: 'resolved',
  modelNames: { kind: 'lenient', prefix: 'venice-' },
}

/**
 * Parsed body of `POST /api/v1/chat/completions` → the core's request (venice.md §1).
 * @throws GatewayError invalid_parameters with everything that is wrong
 */
export function decodeChatObject(object: JsonObject, names: ModelNames): DecodedVeniceChat {
  const asked = readModel(object)
  const body = rewriteBody(object)
  const problems = new Problems()
  const fields = problems.check(chatSchema, body, [])
  const { messages, needs: media, mediaPaths } = decodeMessages(body['messages'], problems)
  const functions = decodeTools(body['tools'], problems)
  const choice = decodeToolChoice(body['tool_choice'], problems)
  const model = decodeModelName(asked, { names, naming: policy.modelNames, problems })
  if (fields === undefined || !problems.isEmpty) throw problems.toError()
  const settings = effectiveSettings({ ...fields.venice_parameters, ...model.settings })
  const parameters = engineParameters(fields, { functions, choice })
  const request: CompletionRequest = {
    modelId: model.name,
    stream: fields.stream ?? false,
    choices: fields.n ?? 1,
    outputLimit: fields.max_completion_tokens ?? fields.max_tokens ?? null,
    content: {
      kind: 'composed',
      composition: { messages, mediaPaths, parameters, ...decodeComposition(fields, settings) },
    },
    grounding: groundingWish(settings),
    needs: capabilityNeeds(body, { fields, media, hasFunctions: functions.length > 0 }),
    answer: { stripReasoning: settings.stripThinkingResponse || settings.disableThinking },
    policy,
  }
  return { request, settings }
}

/** Told alone and before all else, in the words that clients know (venice.md §1.2). */
function readModel({ model }: JsonObject): string {
  if (typeof model === 'string' && model !== '') return model
  const isMissing = model === undefined || model === null || model === ''
  const message = isMissing ? 'model is required' : 'model must be a string'
  throw new GatewayError('invalid_parameters', message, { param: 'model' })
}
