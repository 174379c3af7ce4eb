import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SettingsInput } from '../../src/config/schema.ts'
import { createAccount, issueKey } from '../support/gateway/accounts.ts'
import { Gateway } from '../support/gateway/index.ts'
import { type InstallationStore, openInstallationStore } from '../support/gateway/installation-store.ts'
import { makeCharacters } from '../support/venice/make-characters.ts'
import type { Block } from './markdown.ts'

/** What the example configuration asks for its first model, so that costs can be seen. */
const pricing = { inputUsdPerMTok: 0.25, outputUsdPerMTok: 1, cacheReadUsdPerMTok: 0.05, cacheWriteUsdPerMTok: 0.3 }

/** The model of the test mode as it is without a configuration, but with a price. */
const sandbox: NonNullable<SettingsInput['models']>[number] = {
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
}

/** What docs/venice-characters.md has an operator write. */
const demoSage = {
  name: 'Demo Sage',
  description: 'Answers slowly.',
  systemPrompt: 'You are an old sage. You think before you speak, and you never hurry.',
  tags: ['calm'],
}

const engines: SettingsInput['engines'] = [{ id: 'embedded', kind: 'embedded' }]

export const pageSettings: SettingsInput = { engines, models: [sandbox] }

/** The same with a model whose rate is soon run into. */
export const slowLaneSettings: SettingsInput = {
  engines,
  models: [
    sandbox,
    { id: 'demo/slow-lane', served: [{ engine: 'embedded', model: 'sandbox' }], tier: 'L', free: true },
  ],
  limits: { tiers: { L: { rpm: 1 } } },
}

/** A gateway in test mode as the pages have it, with the accounts of a `reader`, who has 5 USD, and of an `empty` one. */
export interface DocsGateway {
  readonly gateway: Gateway
  readonly store: InstallationStore
  close(): Promise<void>
}

export async function startDocsGateway(settings: SettingsInput): Promise<DocsGateway> {
  const gateway = await Gateway.start({
    engines: {},
    models: { 'rialto/sandbox': {} },
    settings,
    beforeServe: installation => makeCharacters(installation, { 'demo-sage': demoSage }),
    // The gateway makes a secret of its own, as the pages say.
    environment: { RIALTO_SECRET: '' },
  })
  const { folder } = gateway.installation
  const secret = await readFile(join(folder, 'data', 'secret.key'), 'utf8')
  const store = await openInstallationStore(join(folder, 'data', 'rialto.db'), secret.trim())
  for (const [name, credit] of Object.entries({ reader: 5, empty: 0 })) {
    gateway.accounts.set(name, await createAccount(store, name, { credit }))
  }
  return {
    gateway,
    store,
    async close() {
      await store.close()
      await gateway.close()
    },
  }
}

/** The variables that the pages name, for one of their programs. */
export async function readerEnvironment(
  { gateway, store }: DocsGateway,
  block: Block,
): Promise<Record<string, string>> {
  const { installation, secrets, url } = gateway
  const isWebShop = block.words.includes('key=web-shop')
  return {
    ...installation.environment,
    RIALTO_URL: url,
    RIALTO_API_KEY: isWebShop ? await webShopKey(gateway) : gateway.account('reader').key,
    RIALTO_ADMIN_TOKEN: secrets.operatorToken,
    ...(block.text.includes('RIALTO_ADMIN_KEY')
      ? { RIALTO_ADMIN_KEY: (await store.issueKey('reader', { type: 'admin' })).key }
      : {}),
    ...(block.text.includes('$KEY_ID') ? { KEY_ID: (await store.issueKey('reader')).id } : {}),
  }
}

/** A key as docs/keys.md makes one. */
async function webShopKey({ installation }: Gateway): Promise<string> {
  const limit = ['--label', 'web shop', '--limit-usd', '10', '--period', 'month', '--expires', '2030-12-31']
  return (await issueKey(installation, 'reader', limit)).key
}
