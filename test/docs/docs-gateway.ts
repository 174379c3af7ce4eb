import type { SettingsInput } from '../../src/config/schema.ts'
import { issueKey } from '../support/gateway/accounts.ts'
import { Gateway } from '../support/gateway/index.ts'

/** What the example configuration asks for its first model, so that costs can be seen. */
const pricing = { inputUsdPerMTok: 0.25, outputUsdPerMTok: 1, cacheReadUsdPerMTok: 0.05, cacheWriteUsdPerMTok: 0.3 }

/** The model of the test mode as it is without a configuration, but with a price; and one with a rate to run into. */
const settings: SettingsInput = {
  engines: [{ id: 'embedded', kind: 'embedded' }],
  models: [
    {
      id: 'rialto/sandbox',
      name: 'Sandbox (test mode)',
      description: 'A test mode, not a language model: fixed rules imitate the features and the failures of an engine.',
      served: [{ engine: 'embedded', model: 'sandbox' }],
      tier: 'XS',
      contextTokens: 131_072,
      maxOutputTokens: 16_384,
      pricing,
      capabilities: {
        functionCalling: true,
        responseSchema: true,
        reasoning: true,
        reasoningEffort: true,
        logProbs: true,
      },
      reasoning: { efforts: ['low', 'medium', 'high'], default: 'medium', canDisable: true },
    },
  ],
}

const slowLane = {
  id: 'demo/slow-lane',
  served: [{ engine: 'embedded', model: 'sandbox' }],
  tier: 'L' as const,
  free: true,
}

export const slowLaneSettings: SettingsInput = {
  ...settings,
  models: [...(settings.models ?? []), slowLane],
  limits: { tiers: { L: { rpm: 1 } } },
}

/** A gateway in test mode as the pages have it: a secret of its own making in the data folder, a few accounts. */
export function startDocsGateway(given: SettingsInput = settings): Promise<Gateway> {
  return Gateway.start({
    engines: {},
    models: { 'rialto/sandbox': {} },
    settings: given,
    environment: { RIALTO_SECRET: '' },
    accounts: { main: { credit: 5 }, empty: { credit: 0 } },
  })
}

/** The variables that the pages name, for one example. */
export async function readerEnvironment(
  gateway: Gateway,
  { programs, words }: { programs: string; words: readonly string[] },
): Promise<Record<string, string>> {
  const { installation, secrets, url } = gateway
  const { PATH = '', ...environment } = installation.environment
  const throwaway = await issueKey(installation, 'main')
  return {
    ...environment,
    PATH: `${programs}:${PATH}`,
    RIALTO_URL: url,
    RIALTO_API_KEY: words.includes('key=web-shop') ? await webShopKey(gateway) : gateway.account().key,
    RIALTO_ADMIN_TOKEN: secrets.operatorToken,
    KEY_ID: throwaway.id,
  }
}

async function webShopKey({ installation }: Gateway): Promise<string> {
  const limit = ['--label', 'web shop', '--limit-usd', '10', '--period', 'month', '--expires', '2030-12-31']
  return (await issueKey(installation, 'main', limit)).key
}
