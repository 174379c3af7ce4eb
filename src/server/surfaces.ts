import type { FastifyInstance } from 'fastify'
import type { AnswerEncoder } from '../core/answer-encoder.ts'
import type { CompletionDialect } from './completion-route.ts'
import type { ServerDependencies } from './server-dependencies.ts'
import { v1 } from './v1/surface.ts'

/** One public API: its addresses, its one hot route, and how it writes answers and errors. */
export interface Surface {
  readonly prefix: string
  readonly completions: CompletionDialect
  readonly encoder: AnswerEncoder
  readonly readOnlyRoutes: readonly string[]
  register(app: FastifyInstance, dependencies: ServerDependencies): void
}

export const surfaces: readonly Surface[] = [v1]

/** The surface that an address belongs to; addresses outside all of them speak like the first. */
export function surfaceOf(path: string): Surface {
  return surfaces.find(({ prefix }) => path.startsWith(prefix)) ?? v1
}
