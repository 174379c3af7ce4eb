import { z } from 'zod'
import type { Amount } from '../../core/money.ts'
import { price } from './usd.ts'

/** Prices of one model. What is left out of a given section costs as much as input. */
export const modelPricingSchema = z
  .strictObject({
    inputUsdPerMTok: price().describe('Dollars per million prompt tokens.'),
    outputUsdPerMTok: price().describe('Dollars per million answer tokens, reasoning included.'),
    cacheReadUsdPerMTok: price()
      .optional()
      .describe('For prompt tokens read from the cache; else the input price.')
      .meta({ examples: [0.05] }),
    cacheWriteUsdPerMTok: price()
      .optional()
      .describe('For prompt tokens written to the cache; else the input price.')
      .meta({ examples: [0.3] }),
  })
  .optional()
  .describe('Prices. Left out: pricing.default, or nothing when the model is free.')
  .meta({ examples: [{ inputUsdPerMTok: 0.25, outputUsdPerMTok: 1 }] })

interface PricedModel {
  readonly free: boolean
  readonly pricing?: Readonly<Record<string, Amount | undefined>> | undefined
}

/** A price of 0 is a decision that is written out, and a free model has no other price (money.md §1). */
export function checkPrices(model: PricedModel, context: z.RefinementCtx): void {
  for (const [name, amount] of Object.entries(model.pricing ?? {})) {
    if (amount === undefined || (amount === 0n) === model.free) continue
    const message = model.free ? 'must be 0 or left out, because the model is free' : 'is 0, which needs free: true'
    context.addIssue({ code: 'custom', path: ['pricing', name], message })
  }
}

const mustCost = 'must be above 0'

export const defaultPricingSchema = z
  .strictObject({
    default: z
      .strictObject({
        inputUsdPerMTok: price()
          .refine(amount => amount > 0n, mustCost)
          .prefault(0.25)
          .describe('Dollars per million prompt tokens.'),
        outputUsdPerMTok: price()
          .refine(amount => amount > 0n, mustCost)
          .prefault(1)
          .describe('Dollars per million answer tokens.'),
      })
      .prefault({})
      .describe('For models without prices of their own, such as those of an engine that was found.'),
  })
  .prefault({})
  .describe('Prices that hold where nothing else is said.')
