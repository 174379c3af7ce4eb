import { type Secret, secretOrNull } from '../lib/secret.ts'
import type { EngineConfig } from './config.ts'
import type { EngineSettings } from './schema.ts'

/** Where the APIs of these kinds are for everybody. */
const usualBaseUrls = {
  openai: '',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

/** An engine of the file as the gateway knows it. */
export function createEngine(settings: EngineSettings): EngineConfig {
  const { id, kind, onDisconnect, timeouts, preset, maxTokensField, xSearch } = settings
  const basics = { id, maxConcurrency: countOf(settings.maxConcurrency), onDisconnect, timeouts }
  if (kind === 'embedded') return { kind, ...basics }
  const remote = {
    ...basics,
    baseUrl: (settings.baseUrl ?? usualBaseUrls[kind]).replace(/\/+$/, ''),
    apiKey: keyOf(settings.apiKey),
    fetchesUrls: settings.fetchesUrls,
    deniedKeys: settings.forward.deny,
  }
  return kind === 'openai' ? { kind, ...remote, preset, maxTokensField, xSearch } : { kind, ...remote }
}

/** The word `none` stands for no key, so that a reference can have it as its default. */
function keyOf(text: string): Secret | null {
  return text === 'none' ? null : secretOrNull(text)
}

/** A limit for those that only compare: no limit is more than can ever be counted. */
export function countOf(limit: number | 'unlimited'): number {
  return limit === 'unlimited' ? Number.MAX_SAFE_INTEGER : limit
}
