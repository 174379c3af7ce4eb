import { venymEncoder } from '../../dialects/venym/encode-answer.ts'
import type { Surface } from '../surfaces.ts'
import { registerAccount } from './account.ts'
import { venymChat } from './chat-completions.ts'
import { registerModels } from './models.ts'

/** What pages of other origins may read of an answer. */
const exposedHeaders = [
  'x-request-id',
  'x-generation-id',
  'retry-after',
  'x-should-retry',
  'idempotent-replayed',
  'x-ratelimit-limit-requests',
  'x-ratelimit-limit-tokens',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-remaining-tokens',
  'x-ratelimit-reset-requests',
  'x-ratelimit-reset-tokens',
]

/** `/v1`: pass-through, OpenAI's shape (venym.md §1). */
export const v1: Surface = {
  prefix: '/v1/',
  completions: venymChat,
  encoder: venymEncoder,
  loadApi: async () => (await import('../../dialects/venym/schemas/api.ts')).venymApi,
  readOnlyRoutes: ['/v1/models', '/v1/models/*', '/v1/credits', '/v1/key', '/v1/generation'],
  methods: ['GET', 'POST', 'OPTIONS'],
  exposedHeaders,
  commonHeaders: () => ({}),
  register(app, dependencies) {
    registerModels(app, dependencies)
    registerAccount(app, dependencies)
  },
}
