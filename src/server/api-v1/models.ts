import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Model } from '../../core/model.ts'
import { isOfType, readModelType } from '../../dialects/venice/decode/model-type.ts'
import {
  encodeCompatibility,
  encodeModel,
  encodeModelList,
  encodeTraits,
} from '../../dialects/venice/encode/encode-models.ts'
import { checkModelShown, isModelShown } from '../../domain/identity/key-policy.ts'
import type { JsonObject } from '../../lib/json.ts'
import { createAddressLimit } from '../address-limit.ts'
import type { ServerDependencies } from '../server-dependencies.ts'

/** Of one address, with and without a key. */
const requestsPerMinute = 600

type ModelsEncoder = (models: readonly Model[], type: string) => JsonObject

const modelsAddress = '/api/v1/models'

const routes: readonly (readonly [path: string, encode: ModelsEncoder])[] = [
  [modelsAddress, encodeModelList],
  [`${modelsAddress}/traits`, encodeTraits],
  [`${modelsAddress}/compatibility_mapping`, encodeCompatibility],
]

/** The catalogue is public; whoever shows a key sees what that key may use (venice.md §8). */
export function registerModels(app: FastifyInstance, { catalog, identity, callers, clock }: ServerDependencies): void {
  const limit = createAddressLimit(requestsPerMinute, clock)

  async function shownTo(request: FastifyRequest): Promise<readonly Model[]> {
    const { authorization } = request.headers
    if (authorization === undefined) return catalog.list()
    const principal = await identity.authenticate(authorization)
    return catalog.list().filter(model => isModelShown(principal, model))
  }

  for (const [path, encode] of routes) {
    app.get(path, async request => {
      limit.take(callers.addressOf(request.raw))
      const type = readModelType((request.query as { type?: unknown }).type)
      const models = await shownTo(request)
      return encode(
        models.filter(model => isOfType(model, type)),
        type,
      )
    })
  }

  // Official clients ask for one model by its id, which may hold a slash (an extension of venice.md §8).
  app.get(`${modelsAddress}/*`, async request => {
    limit.take(callers.addressOf(request.raw))
    const { '*': id } = request.params as { readonly '*': string }
    const { authorization } = request.headers
    const principal = authorization === undefined ? null : await identity.authenticate(authorization)
    const model = catalog.resolve(id)
    if (principal !== null) checkModelShown(principal, model)
    return encodeModel(model)
  })
}
