import type { Config } from '../config/config.ts'
import type { ErrorBudget } from '../domain/limits/types.ts'
import type { CompletionSettings } from '../pipeline/dependencies.ts'

const dayHours = 24
const yearsMax = 100

/** The configuration's part in how completions run. */
export function settingsOf(config: Config): CompletionSettings {
  const made = known.get(config) ?? makeSettings(config)
  known.set(config, made)
  return made
}

/** Every request asks for its settings several times. */
const known = new WeakMap<Config, CompletionSettings>()

function makeSettings({ limits, billing, retention, prompts, engines, search, scrape }: Config): CompletionSettings {
  const { idempotencyHours } = retention
  return {
    overdraftNano: limits.overdraftNano,
    accountConcurrency: limits.concurrencyPerAccount,
    freeFailuresPerHour: limits.freeFailuresPerHour,
    billPartial: billing.billPartial,
    housePrompt: prompts.house,
    pages: { named: scrape.maxPages, ofResults: search.readPages },
    urlFetchers: new Set(
      engines.flatMap(engine => (engine.kind !== 'embedded' && engine.fetchesUrls ? engine.id : [])),
    ),
    xSearchers: new Set(
      engines.flatMap(engine => (engine.kind === 'openai' && Object.keys(engine.xSearch).length > 0 ? engine.id : [])),
    ),
    engineKinds: new Map(engines.map(({ id, kind }) => [id, kind])),
    idempotencyHours: idempotencyHours === 'unlimited' ? yearsMax * 365 * dayHours : idempotencyHours,
  }
}

export function errorBudgetOf({ limits: { errorBudget } }: Config): ErrorBudget {
  const { failed, unsupported, windowSeconds } = errorBudget
  return { failed, unsupported, windowMs: windowSeconds * 1_000 }
}
