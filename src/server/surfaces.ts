import type { FastifyInstance } from 'fastify'
import type { AnswerMoment, ErrorEncoder } from '../core/answer-encoder.ts'
import type { Api } from '../dialects/openapi/operation.ts'
import { apiV1 } from './api-v1/surface.ts'
import type { CompletionDialect } from './completion-route.ts'
import type { ServerDependencies } from './server-dependencies.ts'
import { v1 } from './v1/surface.ts'

/** One public API: its addresses, its one hot route, and how it writes answers and errors. */
export interface Surface {
  /** Begins its addresses, with a slash at its end. */
  readonly prefix: string
  readonly completions: CompletionDialect
  readonly encoder: ErrorEncoder
  /** What its clients must know; loaded for those who ask. */
  readonly loadApi: () => Promise<Api>
  readonly readOnlyRoutes: readonly string[]
  /** What its addresses take, as browsers are told that ask first. */
  readonly methods: readonly string[]
  /** What pages of other origins may read of an answer. */
  readonly exposedHeaders: readonly string[]
  /** Headers of every answer. */
  commonHeaders(moment: AnswerMoment): Readonly<Record<string, string>>
  register(app: FastifyInstance, dependencies: ServerDependencies): void
}

export const surfaces: readonly Surface[] = [v1, apiV1]

/** The surface that an address belongs to, its bare root included; addresses outside all of them speak like the first. */
export function surfaceOf(path: string): Surface {
  return surfaces.find(({ prefix }) => `${path}/`.startsWith(prefix)) ?? v1
}
