import type { FastifyInstance } from 'fastify'
import { decodeScrape } from '../../dialects/venice/decode/decode-scrape.ts'
import { takeJsonBodies } from '../json-bodies.ts'
import { refuseOtherMethods } from '../refuse-other-methods.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { createKeyRoutes } from './key-routes.ts'
import { openOrder } from './open-order.ts'

const route = '/api/v1/augment/scrape'
/** An address. */
const bodyBytesMax = 16_384

/** `POST /api/v1/augment/scrape`: a page outside of a conversation (venice.md §3). */
export function registerScrape(app: FastifyInstance, dependencies: ServerDependencies): void {
  const { pageSales, clock } = dependencies
  void app.register((scope, _, done) => {
    takeJsonBodies(scope, bodyBytesMax)
    createKeyRoutes(scope, dependencies).forAny('POST', route, async (caller, exchange) => {
      const buy = openOrder(clock, caller, exchange)
      const address = decodeScrape(exchange.request.body)
      const { url, content } = await buy({ address }, pageSales.read)
      return { url, content, format: 'markdown' }
    })
    refuseOtherMethods(scope, route, 'POST')
    done()
  })
}
