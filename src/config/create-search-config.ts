import { secretOrNull } from '../lib/secret.ts'
import type { RemoteSearchConfig, SearchConfig, SearchProviderConfig } from './config.ts'
import { searchSchema } from './schema/grounding-schema.ts'
import type { Settings } from './schema.ts'

type SearchSettings = NonNullable<Settings['search']>
type ProviderName = SearchSettings['provider']

/** Without the section there is the index, which is empty until something is added to it. */
const indexOnly = { provider: 'embedded', fallback: [] } as const

export function createSearchConfig(given: Settings['search']): SearchConfig {
  const settings = given ?? readIndexOnly()
  const { provider, fallback, priceUsd, autoModel, readPages, timeoutMs, providerTimeoutMs } = settings
  const order = [...new Set([provider, ...fallback])].map(name => providerOf(name, settings))
  const keyed = (Object.keys(settings.providers) as (keyof SearchSettings['providers'])[])
    .filter(name => settings.providers[name].apiKey !== '')
    .map(name => providerOf(name, settings))
  const providers = [...order, ...keyed.filter(({ name }) => !order.some(known => known.name === name))]
  return {
    order,
    providers,
    priceNano: priceUsd,
    autoModel: autoModel || null,
    readPages,
    timeoutMs,
    providerTimeoutMs,
  }
}

function readIndexOnly(): SearchSettings {
  const read = searchSchema.parse(indexOnly)
  if (read === undefined) throw new TypeError('the schema dropped a section')
  return read
}

function providerOf(name: ProviderName, settings: SearchSettings): SearchProviderConfig {
  if (name === 'embedded') return { name }
  const ofProvider = name === settings.provider ? settings.apiKey : ''
  if (name === 'searxng') return { name, baseUrl: withoutSlash(settings.baseUrl), apiKey: secretOrNull(ofProvider) }
  const { apiKey, baseUrl } = settings.providers[name]
  const remote: RemoteSearchConfig = {
    name,
    baseUrl: baseUrl === undefined ? null : withoutSlash(baseUrl),
    apiKey: secretOrNull(apiKey === '' ? ofProvider : apiKey),
  }
  return remote
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '')
}
