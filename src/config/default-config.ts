import type { FoundEngine } from '../core/found-engine.ts'
import type { Config, EngineConfig } from './config.ts'
import { createEngine } from './create-engine.ts'
import { createModel } from './create-model.ts'
import { foundModels } from './found-models.ts'
import { sandboxEngine, sandboxModel } from './sandbox-settings.ts'
import { enginePresets, engineSchema } from './schema/engine-schema.ts'

/**
 * Completes a configuration that names no engines with those that were found, or with the test mode when none was
 * (operator.md §1). Their models cost `pricing.default`, never nothing.
 */
export function withFoundEngines(config: Config, found: readonly FoundEngine[], createdSeconds: number): Config {
  const models = foundModels(found)
  const serving = new Set(models.flatMap(model => model.served.map(({ engine }) => engine)))
  const engines = found.filter(({ id }) => serving.has(id)).map(createFoundEngine)
  const context = {
    ownedBy: config.ownedBy,
    createdSeconds,
    defaultPrices: config.pricing.default,
    searchNano: config.search?.priceNano ?? 0n,
    pageNano: config.scrape.pageNano,
  }
  return {
    ...config,
    engines: engines.length > 0 ? engines : [createEngine(sandboxEngine)],
    models: (models.length > 0 ? models : [sandboxModel]).map(model => createModel(model, context)),
  }
}

function createFoundEngine({ id, kind, preset, baseUrl, apiKey }: FoundEngine): EngineConfig {
  const known = enginePresets.find(name => name === preset) ?? 'generic'
  // The newer name is the only one that all of OpenAI's models take; other programs know the older one.
  const maxTokensField = known === 'openai' ? 'max_completion_tokens' : 'max_tokens'
  const settings = { id, kind, preset: known, baseUrl, apiKey: apiKey?.reveal() ?? '', maxTokensField }
  return createEngine(engineSchema.parse(settings))
}
