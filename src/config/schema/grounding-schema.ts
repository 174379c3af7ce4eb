import { z } from 'zod'
import { credential, hostAndPort, httpUrl, line, list, milliseconds, prose, whole } from './fields.ts'
import { usd } from './usd.ts'

const provider = z.enum(['searxng', 'brave', 'tavily', 'exa', 'serper', 'kagi', 'marginalia', 'embedded'])

/** What may enter a prompt besides the caller's own words, and the programs that prepare it. */
export const searchSchema = z
  .strictObject({
    provider: provider
      .default('searxng')
      .describe('searxng, brave, tavily, exa, serper, kagi, marginalia or embedded.'),
    fallback: list(provider, 8).default(['embedded']).describe('Who is asked when the provider fails, in order.'),
    baseUrl: httpUrl().default('http://127.0.0.1:8888').describe('The address of your own SearXNG.'),
    apiKey: credential().default('').describe('The key that the provider wants.'),
    priceUsd: usd().prefault(0.01).describe('Dollars per search whose results were used.'),
    timeoutMs: milliseconds().default(8_000).describe('Longest wait for results.'),
  })
  .optional()
  .describe('Web search; left out, there is none. Takes effect in a later version.')
  .meta({ examples: [{}] })

export const scrapeSchema = z
  .strictObject({
    priceUsdPerPage: usd().prefault(0.01).describe('Dollars per page that was read.'),
    maxPages: whole(0, 100).default(5).describe('Pages per request.'),
  })
  .prefault({})
  .describe('Reading of pages named in a prompt. Takes effect in a later version.')

export const fetchSchema = z
  .strictObject({
    allowHosts: list(hostAndPort(), 1_000)
      .default([])
      .describe('host:port list: the only way in which an address from a caller reaches a private host.'),
  })
  .prefault({})
  .describe('Addresses that callers name. Takes effect in a later version.')

export const documentsSchema = z
  .strictObject({
    maxChildren: whole(0, 64).default(2).describe('Documents that are read at a time.'),
    memoryMiB: whole(16, 65_536).default(512).describe('Memory for each.'),
    cpuSeconds: whole(1, 3_600).default(10).describe('Computing time for each.'),
    wallSeconds: whole(1, 3_600).default(15).describe('Time for each.'),
  })
  .prefault({})
  .describe('Files in a prompt. Takes effect in a later version.')

export const promptsSchema = z
  .strictObject({
    house: prose(100_000).default('').describe('Your own system prompt for the Venice surface.'),
  })
  .prefault({})
  .describe('Prompts of the house. Takes effect in a later version.')

export const charactersSchema = z
  .strictObject({
    dir: line(2_000).min(1, 'must not be empty').default('characters/').describe('The folder of their YAML files.'),
  })
  .prefault({})
  .describe('Personas. Takes effect in a later version.')
