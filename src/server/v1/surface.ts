import { venymEncoder } from '../../dialects/venym/encode-answer.ts'
import type { Surface } from '../surfaces.ts'
import { registerAccount } from './account.ts'
import { venymChat } from './chat-completions.ts'
import { registerModels } from './models.ts'

/** `/v1`: pass-through, OpenAI's shape (venym.md §1). */
export const v1: Surface = {
  prefix: '/v1/',
  completions: venymChat,
  encoder: venymEncoder,
  readOnlyRoutes: ['/v1/models', '/v1/models/*', '/v1/credits', '/v1/key', '/v1/generation'],
  register(app, dependencies) {
    registerModels(app, dependencies)
    registerAccount(app, dependencies)
  },
}
