import type { SettingsInput } from '../../../src/config/schema.ts'
import type { PlantedSecrets } from './secrets.ts'

type Engines = NonNullable<SettingsInput['engines']>
type Models = NonNullable<SettingsInput['models']>
export type EngineSettings = Engines[number]
export type ModelSettings = Models[number]
export type EngineOverrides = Partial<EngineSettings>
export type ModelOverrides = Partial<Omit<ModelSettings, 'served'>> & {
  /** Ids of engines; the first is asked first, because the others have a thousandth of its weight. */
  readonly engines?: readonly string[]
  /** Instead of `engines`: their ids with their weights. */
  readonly weights?: Readonly<Record<string, number>>
}

/** Patient, so that a busy machine is not taken for a broken engine. Tests of timeouts set their own. */
const timeouts = { connectMs: 5_000, firstByteMs: 15_000, idleMs: 15_000, totalMs: 30_000, streamTotalMs: 30_000 }

/** Dollars per million tokens, with all the decimals that there are: a wrong rounding does not go unseen. */
export const testPricing = {
  inputUsdPerMTok: 0.123456789,
  outputUsdPerMTok: 0.987654321,
  cacheReadUsdPerMTok: 0.012345679,
  cacheWriteUsdPerMTok: 0.234567891,
}

export function engineSettings(
  id: string,
  url: string,
  { secrets, overrides = {} }: { secrets: PlantedSecrets; overrides?: EngineOverrides },
): EngineSettings {
  return { id, baseUrl: url, apiKey: secrets.engineKey, ...overrides, timeouts: { ...timeouts, ...overrides.timeouts } }
}

/** The engine's own name of a model, which no caller may ever read. */
export function engineModelOf(modelId: string): string {
  return `internal-name-of-${modelId.replaceAll(/[^a-z0-9]/g, '-')}`
}

export function modelSettings(
  id: string,
  { engines = ['main'], weights = oneAfterTheOther(engines), ...overrides }: ModelOverrides,
): ModelSettings {
  return {
    id,
    served: Object.entries(weights).map(([engine, weight]) => ({ engine, model: engineModelOf(id), weight })),
    tier: 'XS',
    contextTokens: 100_000,
    maxOutputTokens: 1_000,
    ...(overrides.free === true ? {} : { pricing: testPricing }),
    ...overrides,
  }
}

function oneAfterTheOther(engines: readonly string[]): Record<string, number> {
  return Object.fromEntries(engines.map((engine, index) => [engine, index === 0 ? 1_000 : 1]))
}

const unlimited = { rpm: 'unlimited', tpm: 'unlimited' } as const

/** Nothing is limited unless the test is about limits. */
export const openLimits: SettingsInput['limits'] = {
  overdraftUsd: 0.5,
  concurrencyPerAccount: 'unlimited',
  freeFailuresPerHour: 'unlimited',
  errorBudget: { failed: 'unlimited', unsupported: 'unlimited' },
  tiers: { XS: unlimited, S: unlimited, M: unlimited, L: unlimited },
}
