import type { FastifyInstance } from 'fastify'
import { decodeSearch } from '../../dialects/venice/decode/decode-search.ts'
import { encodeSearch } from '../../dialects/venice/encode/encode-search.ts'
import { takeJsonBodies } from '../json-bodies.ts'
import { refuseOtherMethods } from '../refuse-other-methods.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { createKeyRoutes } from './key-routes.ts'
import { openOrder } from './open-order.ts'

const address = '/api/v1/augment/search'
/** A query and two words. */
const bodyBytesMax = 16_384

/** `POST /api/v1/augment/search`: a search outside of a conversation (venice.md §3). */
export function registerSearch(app: FastifyInstance, dependencies: ServerDependencies): void {
  const { searchSales, clock } = dependencies
  void app.register((scope, _, done) => {
    takeJsonBodies(scope, bodyBytesMax)
    createKeyRoutes(scope, dependencies).forAny('POST', address, async (caller, exchange) => {
      const buy = openOrder(clock, caller, exchange)
      const wanted = decodeSearch(exchange.request.body)
      return encodeSearch(wanted.query, await buy(wanted, searchSales.search))
    })
    refuseOtherMethods(scope, address, 'POST')
    done()
  })
}
