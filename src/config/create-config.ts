import { resolve } from 'node:path'
import { Secret, secretOrNull } from '../lib/secret.ts'
import type { Config, LimitsConfig, PaymentsConfig, StoreConfig } from './config.ts'
import { countOf, createEngine } from './create-engine.ts'
import { createModel } from './create-model.ts'
import { createSearchConfig } from './create-search-config.ts'
import { splitHostAndPort } from './schema/fields.ts'
import type { Settings } from './schema.ts'

/** What a configuration depends on beside the file's text. */
export interface ConfigContext {
  /** The folder that relative paths in the file start from. */
  readonly folder: string
  readonly dataFolder: string
  /** The operator's token of the environment; the file's own wins. */
  readonly adminToken: Secret | null
  /** Unix seconds at which the catalogue was written, which the model list shows as `created`. */
  readonly createdSeconds: number
}

/** Puts checked settings into the gateway's own terms: nano-USD, absolute paths, secrets that cannot be printed. */
export function createConfig(settings: Settings, context: ConfigContext): Config {
  const { server, pricing, accounts, ownedBy, keys, billing, retention, prompts, fetch, cache } = settings
  const { priceUsd: priceNano, ...documents } = settings.documents
  const search = createSearchConfig(settings.search)
  const defaultPrices = {
    inputNanoPerMillion: pricing.default.inputUsdPerMTok,
    outputNanoPerMillion: pricing.default.outputUsdPerMTok,
  }
  const modelContext = {
    ownedBy,
    createdSeconds: context.createdSeconds,
    defaultPrices,
    searchNano: search.priceNano,
    pageNano: settings.scrape.priceUsdPerPage,
  }
  return {
    server: { ...server, publicUrl: server.publicUrl ?? publicUrlOf(server.host, server.port) },
    store: createStore(settings.store, context),
    startingCreditNano: settings.startingCreditUsd,
    engines: settings.engines.map(createEngine),
    models: settings.models.map(model => createModel(model, modelContext)),
    limits: createLimits(settings.limits),
    metrics: { listen: splitHostAndPort(settings.metrics.listen) },
    admin: { token: secretOrNull(settings.admin.token) ?? context.adminToken },
    pricing: { default: defaultPrices },
    characters: { dir: resolve(context.folder, settings.characters.dir) },
    search,
    scrape: scrapeOf(settings),
    payments: createPayments(settings.payments, context.folder),
    accounts: createAccounts(accounts),
    ...{ keys, ownedBy, billing, retention, prompts, fetch, cache },
    documents: { ...documents, priceNano },
  }
}

/** An address that callers on this machine can use, also when the gateway listens on all of them. */
function publicUrlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

function createStore(text: string | undefined, { folder, dataFolder }: ConfigContext): StoreConfig {
  if (text === undefined) return { kind: 'sqlite', path: resolve(dataFolder, 'rialto.db') }
  if (!text.startsWith('sqlite:')) return { kind: 'postgres', url: new Secret(text) }
  return { kind: 'sqlite', path: resolve(folder, text.slice('sqlite:'.length)) }
}

function createAccounts({ selfService, staking }: Settings['accounts']): Config['accounts'] {
  return { selfService, staking: staking && { ...staking, minimumUnits: BigInt(staking.minimumUnits) } }
}

function createLimits({ overdraftUsd, freeFailuresPerHour, tiers, ...rest }: Settings['limits']): LimitsConfig {
  const rates = ({ rpm, tpm, rpd }: (typeof tiers)['M']) => ({
    requestsPerMinute: rpm,
    tokensPerMinute: tpm,
    requestsPerDay: rpd,
  })
  return {
    ...rest,
    overdraftNano: overdraftUsd,
    freeFailuresPerHour: countOf(freeFailuresPerHour),
    tiers: { XS: rates(tiers.XS), S: rates(tiers.S), M: rates(tiers.M), L: rates(tiers.L) },
  }
}

function createPayments({ x402 }: Settings['payments'], folder: string): PaymentsConfig {
  const { topUp, walletFloorUsd, facilitator, ...rest } = x402
  return {
    x402: {
      ...rest,
      facilitator: { ...facilitator, walletKeyFile: resolve(folder, facilitator.walletKeyFile) },
      topUp: { minNano: topUp.minUsd, maxNano: topUp.maxUsd, suggestedNano: topUp.suggestedUsd },
      walletFloorNano: walletFloorUsd,
    },
  }
}

function scrapeOf({ scrape: { priceUsdPerPage, maxPages, robots } }: Settings): Config['scrape'] {
  return { pageNano: priceUsdPerPage, maxPages, robots }
}
