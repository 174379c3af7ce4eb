import { type Gateway, type GatewayOptions, openLimits } from '../support/gateway/index.ts'
import type { Access, Question } from './client.ts'

export const testModel = 'test/model'
/** Its engine is given little time for the first byte, and short answers, for which a whole answer may take longer. */
export const hastyModel = 'test/hasty'
const hasty = { timeouts: { firstByteMs: 300 } }
/** One request per minute. */
export const limitedModel = 'test/limited'
const tiers = { ...openLimits?.tiers, L: { rpm: 1, tpm: 'unlimited' } } as const

/** The gateway that real clients are pointed at, with an account for every refusal. */
export const clientsGateway: GatewayOptions = {
  engines: { main: {}, hasty },
  models: {
    [testModel]: {},
    [hastyModel]: { engines: ['hasty'], maxOutputTokens: 2 },
    [limitedModel]: { tier: 'L' },
  },
  settings: { limits: { ...openLimits, tiers } },
  accounts: {
    broke: { credit: 0, mode: 'strict' },
    restricted: { key: { allowedModels: [hastyModel] } },
  },
}

export function accessTo(gateway: Gateway, account = 'main', surface = '/v1'): Access {
  return { baseUrl: gateway.url + surface, key: gateway.account(account).key }
}

export const question: Question = { model: testModel, prompt: 'What is the weather in Lisbon and Porto?' }
