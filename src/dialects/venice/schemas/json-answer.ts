import type { z } from 'zod'
import { requestId } from '../../openapi/headers.ts'
import type { Answer, Texts } from '../../openapi/operation.ts'

/** The answers of an address that gives JSON when all is well. */
export function json(schema: z.ZodType, headers: Texts = {}): { readonly 200: Answer } {
  return {
    200: {
      description: 'What was asked for.',
      headers: { ...requestId, ...headers },
      content: { 'application/json': schema },
    },
  }
}
