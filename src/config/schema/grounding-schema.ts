import { z } from 'zod'
import { credential, hostAndPort, httpUrl, line, list, milliseconds, prose, whole } from './fields.ts'
import { usd } from './usd.ts'

/** Providers that want a key, with the addresses of their APIs. */
const keyedProviders = {
  brave: 'https://api.search.brave.com',
  tavily: 'https://api.tavily.com',
  exa: 'https://api.exa.ai',
  serper: 'https://google.serper.dev',
  kagi: 'https://kagi.com',
  marginalia: 'https://api2.marginalia-search.com',
} as const

const provider = z.enum(['searxng', 'brave', 'tavily', 'exa', 'serper', 'kagi', 'marginalia', 'embedded'])

function keyedProvider(name: keyof typeof keyedProviders) {
  return z
    .strictObject({
      apiKey: credential().default('').describe('Its key; a reference to the environment keeps it out of this file.'),
      baseUrl: httpUrl()
        .optional()
        .describe('Another address of its API, such as that of a proxy.')
        .meta({ examples: [keyedProviders[name]] }),
    })
    .prefault({})
    .describe(`${name}: key and address.`)
}

const providersSchema = z
  .strictObject({
    brave: keyedProvider('brave'),
    tavily: keyedProvider('tavily'),
    exa: keyedProvider('exa'),
    serper: keyedProvider('serper'),
    kagi: keyedProvider('kagi'),
    marginalia: keyedProvider('marginalia'),
  })
  .prefault({})
  .describe('Keys and addresses of several providers. One with a key can also be asked for by name.')

/** What may enter a prompt besides the caller's own words, and the programs that prepare it. */
export const searchSchema = z
  .strictObject({
    provider: provider
      .default('searxng')
      .describe('searxng, brave, tavily, exa, serper, kagi, marginalia or embedded.'),
    fallback: list(provider, 8)
      .default(['embedded'])
      .describe('Who is asked when the provider fails or finds nothing, in order.'),
    baseUrl: httpUrl().default('http://127.0.0.1:8888').describe('The address of your own SearXNG.'),
    apiKey: credential().default('').describe('The key that the provider wants.'),
    providers: providersSchema,
    priceUsd: usd().prefault(0.01).describe('Dollars per search whose results were used.'),
    autoModel: line(300)
      .default('')
      .describe(
        'A small model of your own that decides for enable_web_search: auto where the signs of a question are not clear; empty for none. It is asked for one word, at your cost.',
      ),
    readPages: whole(0, 5)
      .default(0)
      .describe(
        'Pages of the first results that are read too for a question on /v1, each for scrape.priceUsdPerPage; 0 leaves it at what the provider shows of them.',
      ),
    timeoutMs: milliseconds().default(8_000).describe('Longest wait for results, whoever is asked.'),
    providerTimeoutMs: milliseconds().default(3_000).describe('Longest wait for one provider.'),
  })
  .superRefine((search, context) => {
    for (const name of missingKeys(search))
      context.addIssue({ code: 'custom', path: ['providers', name, 'apiKey'], message: 'is missing' })
  })
  .optional()
  .describe('Web search; left out, only what `rialto index add` read is searched.')
  .meta({ examples: [{}] })

interface KeyedSearch {
  readonly provider: string
  readonly fallback: readonly string[]
  readonly apiKey: string
  readonly providers: Readonly<Record<keyof typeof keyedProviders, { readonly apiKey: string }>>
}

/** Those in the order that cannot be asked. The key at the top is that of the provider at the top. */
function missingKeys({ provider, fallback, apiKey, providers }: KeyedSearch): readonly string[] {
  const names = new Set([provider, ...fallback])
  return Object.entries(providers).flatMap(([name, entry]) => {
    const hasKey = entry.apiKey !== '' || (name === provider && apiKey !== '')
    return names.has(name) && !hasKey ? [name] : []
  })
}

export const scrapeSchema = z
  .strictObject({
    priceUsdPerPage: usd().prefault(0.01).describe('Dollars per page that was read.'),
    maxPages: whole(0, 100).default(5).describe('Pages per request.'),
    robots: z
      .enum(['obey', 'ignore'])
      .default('obey')
      .describe('obey: no page is read whose site does not let the program `rialto` read it, as its robots.txt says.'),
  })
  .prefault({})
  .describe('Reading of pages named in a prompt.')

export const fetchSchema = z
  .strictObject({
    allowHosts: list(hostAndPort(), 1_000)
      .default([])
      .describe('host:port list: the only way in which an address from a caller reaches a private host.'),
  })
  .prefault({})
  .describe('Addresses that callers name.')

export const documentsSchema = z
  .strictObject({
    maxChildren: whole(0, 64)
      .default(2)
      .describe('Files that are read at a time; 0 reads none. Needs a restart, like all of these.'),
    memoryMiB: whole(64, 65_536).default(512).describe('Memory for each.'),
    cpuSeconds: whole(1, 3_600).default(10).describe('Computing time for each.'),
    wallSeconds: whole(1, 3_600).default(15).describe('Time for each.'),
    priceUsd: usd().prefault(0.01).describe('Dollars per file that the text parser reads. Needs no restart.'),
  })
  .prefault({})
  .describe('Files that callers send, and the child processes that read them.')

export const promptsSchema = z
  .strictObject({
    house: prose(100_000).default('').describe('Your own system prompt for the Venice surface.'),
  })
  .prefault({})
  .describe('Prompts of the house.')

export const charactersSchema = z
  .strictObject({
    dir: line(2_000)
      .min(1, 'must not be empty')
      .default('characters/')
      .describe('The folder of their YAML files, one each; read again with this file and on SIGHUP.'),
  })
  .prefault({})
  .describe('Personas that callers may ask for.')
