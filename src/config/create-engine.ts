import { type Secret, secretOrNull } from '../lib/secret.ts'
import type { EngineConfig } from './config.ts'
import type { EngineSettings } from './schema.ts'

/** An engine of the file as the gateway knows it. Kinds that this version does not know were refused before. */
export function createEngine(settings: EngineSettings): EngineConfig {
  const { id, onDisconnect, timeouts } = settings
  const basics = { id, maxConcurrency: countOf(settings.maxConcurrency), onDisconnect, timeouts }
  if (settings.kind === 'embedded') return { kind: 'embedded', ...basics }
  return {
    kind: 'openai',
    ...basics,
    preset: settings.preset,
    baseUrl: (settings.baseUrl ?? '').replace(/\/+$/, ''),
    apiKey: keyOf(settings.apiKey),
    maxTokensField: settings.maxTokensField,
    fetchesUrls: settings.fetchesUrls,
    deniedKeys: settings.forward.deny,
  }
}

/** The word `none` stands for no key, so that a reference can have it as its default. */
function keyOf(text: string): Secret | null {
  return text === 'none' ? null : secretOrNull(text)
}

/** A limit for those that only compare: no limit is more than can ever be counted. */
export function countOf(limit: number | 'unlimited'): number {
  return limit === 'unlimited' ? Number.MAX_SAFE_INTEGER : limit
}
