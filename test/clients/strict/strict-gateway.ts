import type { GatewayOptions } from '../../support/gateway/index.ts'
import { testModel } from '../clients-gateway.ts'

/** Where clients of the strict surface are pointed. */
export const strictSurface = '/api/v1'

/** Clients ask for what a model can do; here the gateway looks whether it can. */
const capabilities = { functionCalling: true, responseSchema: true, vision: true, reasoning: true, logProbs: true }

export const strictGateway: GatewayOptions = {
  models: { [testModel]: { capabilities, traits: ['default'] } },
  accounts: { broke: { credit: 0, mode: 'strict' } },
}
