import { commonHeaders, exposedHeaders } from '../../dialects/venice/encode/common-headers.ts'
import { veniceErrors } from '../../dialects/venice/encode/encode-error.ts'
import type { Surface } from '../surfaces.ts'
import { registerAccountRoutes } from './account-routes.ts'
import { veniceChat } from './chat-completions.ts'
import { registerModels } from './models.ts'
import { registerScrape } from './scrape.ts'
import { registerSearch } from './search.ts'
import { registerTextParser } from './text-parser.ts'

/** `/api/v1`: strict, Venice's shape (venice.md). */
export const apiV1: Surface = {
  // Clients that resolve `..` in an id step out of `/api/v1`, and still expect its shape.
  prefix: '/api/',
  completions: veniceChat,
  encoder: veniceErrors,
  loadApi: async () => (await import('../../dialects/venice/schemas/api.ts')).veniceApi,
  readOnlyRoutes: [
    '/api/v1/models',
    '/api/v1/models/traits',
    '/api/v1/models/compatibility_mapping',
    '/api/v1/models/*',
    '/api/v1/characters',
    '/api/v1/characters/:slug',
    '/api/v1/characters/:slug/reviews',
    '/api/v1/api_keys/:id',
    '/api/v1/api_keys/rate_limits',
    '/api/v1/api_keys/rate_limits/log',
    '/api/v1/billing/balance',
    '/api/v1/billing/usage',
    '/api/v1/billing/usage-history',
    '/api/v1/billing/usage-analytics',
  ],
  methods: ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS'],
  exposedHeaders,
  commonHeaders,
  register(app, dependencies) {
    registerModels(app, dependencies)
    registerAccountRoutes(app, dependencies)
    registerTextParser(app, dependencies)
    registerSearch(app, dependencies)
    registerScrape(app, dependencies)
  },
}
