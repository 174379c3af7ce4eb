import { z } from 'zod'
import { forwardSchema } from './engine-schema.ts'
import { line, list, modelName, prose, shortName, whole } from './fields.ts'
import { mediaSchema } from './media-schema.ts'
import { capabilitiesSchema, deprecationSchema, reasoningSchema } from './model-parts-schema.ts'
import { checkPrices, modelPricingSchema } from './pricing-schema.ts'
import { whenValid } from './when-valid.ts'

const servedSchema = z.strictObject({
  engine: shortName().describe('The id of an engine.'),
  model: line(500).min(1, 'must not be empty').describe("The engine's own name of the model; callers never see it."),
  weight: whole(1, 1_000).default(1).describe('Share of the requests among the engines that serve this model.'),
})

export const modelSchema = z
  .strictObject({
    id: modelName().describe('What callers ask for.'),
    name: line(200)
      .optional()
      .describe('A name for people; else the id.')
      .meta({ examples: ['My model'] }),
    description: prose(2_000).default('').describe('A sentence for people.'),
    served: list(servedSchema, 50)
      .min(1, 'must name at least one engine')
      .describe('Who serves it, in your order. Several engines mean failover.'),
    family: shortName()
      .default('other')
      .describe('openai, openai-reasoning, claude, gemini, grok, qwen, …: which restrictions apply.'),
    type: z.enum(['text', 'embedding']).default('text').describe('What it makes.'),
    traits: list(shortName(), 20)
      .default([])
      .describe('Roles under which it can be asked for, such as default. One model per role.'),
    compatibility: list(modelName(), 50).default([]).describe('Names of other models for which this one answers.'),
    tier: z.enum(['XS', 'S', 'M', 'L']).default('M').describe('The rate-limit tier, see limits.tiers.'),
    contextTokens: whole(1, 100_000_000).default(8_192).describe('Longest prompt and answer together.'),
    maxOutputTokens: whole(1, 100_000_000).default(2_048).describe('Longest answer.'),
    apiCap: z
      .boolean()
      .default(true)
      .describe('On the Venice surface, an output limit above the cap is refused (true) or lowered (false).'),
    maxChoices: whole(1, 128).default(8).describe('Largest n.'),
    maxImages: whole(0, 1_000).default(10).describe('Images per request.'),
    constraints: z
      .record(shortName(), z.strictObject({ default: z.number('must be a number') }))
      .default({})
      .describe('Sampling defaults that the catalogue shows.'),
    pricing: modelPricingSchema,
    free: z.boolean().default(false).describe('true: costs nothing. A price of 0 needs it.'),
    capabilities: capabilitiesSchema,
    reasoning: reasoningSchema,
    cacheRetention: list(z.enum(['default', 'extended', '24h']), 3)
      .default(['default'])
      .describe('Which cache retentions the engine honours: default, extended, 24h.'),
    privacy: z
      .enum(['private', 'anonymized', 'tee', 'e2ee'])
      .default('private')
      .describe('What happens to prompts: private, anonymized, tee or e2ee.'),
    proOnly: z.boolean().default(false).describe('true: for accounts marked --pro only.'),
    beta: z.boolean().default(false).describe('true: the catalogue shows it as a model on trial.'),
    regions: z
      .strictObject({
        deny: list(z.string().regex(/^[A-Z]{2}$/, 'must be a country code such as DE'), 250)
          .default([])
          .describe('Country codes from which it may not be used.'),
      })
      .prefault({})
      .describe('Where it may be used.'),
    deprecation: deprecationSchema,
    media: mediaSchema,
    forward: forwardSchema,
  })
  .superRefine(checkPrices, { when: whenValid('free', 'pricing') })
  .refine(model => model.maxOutputTokens <= model.contextTokens, {
    path: ['maxOutputTokens'],
    error: 'must not be above contextTokens',
    when: whenValid('maxOutputTokens', 'contextTokens'),
  })
