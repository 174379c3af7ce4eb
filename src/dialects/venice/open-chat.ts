import type { ReadBody } from '../openai/read-body.ts'
import { type DecodedVeniceChat, decodeChatObject, policy } from './decode/decode-chat.ts'
import type { ModelNames } from './decode/model-name.ts'
import { type BudgetNames, type CatalogNames, readBudgetNames } from './error-budget.ts'

/** A body that is JSON, and nothing else is known of it yet. */
export interface OpenedVeniceChat {
  /** Whose failure it is if the rest of it is wrong. */
  budgetNames(names: CatalogNames): BudgetNames
  /** @throws GatewayError invalid_parameters with everything that is wrong */
  decode(names: ModelNames): DecodedVeniceChat
}

export function openChat({ object }: ReadBody): OpenedVeniceChat {
  return {
    budgetNames: names => readBudgetNames(object, names, policy.modelNames),
    decode: names => decodeChatObject(object, names),
  }
}
