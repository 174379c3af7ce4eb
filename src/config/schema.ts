import { z } from 'zod'
import { engineSchema } from './schema/engine-schema.ts'
import { line, list } from './schema/fields.ts'
import {
  charactersSchema,
  documentsSchema,
  fetchSchema,
  promptsSchema,
  scrapeSchema,
  searchSchema,
} from './schema/grounding-schema.ts'
import { billingSchema, cacheSchema, limitsSchema, retentionSchema } from './schema/limits-schema.ts'
import { modelSchema } from './schema/model-schema.ts'
import { paymentsSchema } from './schema/payments-schema.ts'
import { defaultPricingSchema } from './schema/pricing-schema.ts'
import { adminSchema, keysSchema, metricsSchema, serverSchema, storeSchema } from './schema/server-schema.ts'
import { stakingSchema } from './schema/staking-schema.ts'
import { usd } from './schema/usd.ts'

const enginesMax = 200
const modelsMax = 2_000

/**
 * The one definition of rialto.yaml (operator.md §3). Validation, the file that `rialto init` writes and the JSON Schema
 * for editors all come from it. Keys that it does not name are errors.
 */
export const settingsSchema = z.strictObject({
  server: serverSchema,
  store: storeSchema,
  keys: keysSchema,
  startingCreditUsd: usd().prefault(5).describe('Dollars that the first account gets when it is made.'),
  ownedBy: line(100).default('rialto').describe('Who owns the models, as the model list says.'),
  accounts: z
    .strictObject({
      selfService: z
        .boolean()
        .default(false)
        .describe('true: whoever owns a wallet may make an account for it, which is always strict, and keys of it.'),
      staking: stakingSchema,
    })
    .prefault({})
    .describe('Accounts.'),
  engines: list(engineSchema, enginesMax)
    .default([])
    .describe('The servers that run models. Without any, engines are looked for: environment, then local ports.'),
  models: list(modelSchema, modelsMax).default([]).describe('What callers may ask for, and who serves it.'),
  prompts: promptsSchema,
  characters: charactersSchema,
  search: searchSchema,
  scrape: scrapeSchema,
  fetch: fetchSchema,
  documents: documentsSchema,
  limits: limitsSchema,
  billing: billingSchema,
  payments: paymentsSchema,
  cache: cacheSchema,
  retention: retentionSchema,
  metrics: metricsSchema,
  admin: adminSchema,
  pricing: defaultPricingSchema,
})

/** What a file may say: everything has a default. Amounts are numbers of dollars. */
export type SettingsInput = z.input<typeof settingsSchema>
/** What a file says once it was checked and completed. Amounts are nano-USD. */
export type Settings = z.output<typeof settingsSchema>
export type EngineSettings = Settings['engines'][number]
export type ModelSettings = Settings['models'][number]
