import { z } from 'zod'
import { requestId, retryAfter } from '../../openapi/headers.ts'
import type { Answer } from '../../openapi/operation.ts'
import { budgetHeaders, rates } from './headers.ts'

/** How this surface fails (venice.md §4): mostly a text under `error`, in some cases an object. */

const standard = z
  .looseObject({
    error: z.string(),
    code: z.string().optional().describe('For programs, where the text alone would not do.'),
    message: z.string().optional().describe('What helps beyond the text under `error`.'),
  })
  .meta({ id: 'ApiV1StandardError' })

const issue = z.looseObject({
  code: z.string(),
  message: z.string(),
  path: z.array(z.union([z.string(), z.int()])).describe('The place in the body.'),
})

const detailed = z
  .object({
    error: z.string(),
    details: z.looseObject({ _errors: z.array(z.string()) }).describe('The same problems, as a tree like the body.'),
    issues: z.array(issue).describe('Everything that is wrong with the request.'),
  })
  .meta({ id: 'ApiV1DetailedError' })

const typed = z
  .object({ error: z.looseObject({ message: z.string(), type: z.string(), code: z.string().optional() }) })
  .meta({ id: 'ApiV1TypedError' })

const discovery = z
  .looseObject({
    x402Version: z.literal(2),
    error: z.string(),
    resource: z.object({ url: z.string(), description: z.string(), mimeType: z.string() }),
    accepts: z.array(z.looseObject({})).describe('Ways to pay on the spot; empty where there are none.'),
    extensions: z.looseObject({}),
    authOptions: z.looseObject({}).describe('Ways to get credentials.'),
  })
  .meta({ id: 'ApiV1PaymentDiscovery' })

const meanings: Readonly<Record<string, string>> = {
  400: 'The request is wrong: `issues` names every problem and its place.',
  401: 'A key that does not count, or is no admin key where one is needed.',
  402: 'No credentials at all, or neither balance nor limit pays for it.',
  403: 'The key may not use this model.',
  404: 'There is no such model, character or address.',
  405: 'The address takes another method.',
  408: 'The request came too slowly.',
  409: 'A request with this idempotency key runs, or cannot be repeated.',
  410: 'The address is retired.',
  413: 'The body is too large.',
  415: 'The body is encoded in a way that is not taken.',
  422: 'The content is against a policy, or the idempotency key belongs to another body.',
  429: 'Too many requests or failures, or the model is overloaded.',
  '4XX': 'The request cannot be read.',
  500: 'The engine failed, or the gateway did.',
  502: 'What stands behind the gateway failed.',
  503: 'No engine can take it now, what else it needs cannot be asked, or the gateway is about to stop.',
  504: 'The engine took too long.',
}

const bodies: Readonly<Record<string, z.ZodType>> = {
  400: z.union([detailed, standard, typed]),
  402: z.union([discovery, standard]),
}

const headers: Readonly<Record<string, Answer['headers']>> = {
  402: { 'payment-required': 'The part of a discovery that x402 clients read, as JSON in base64.' },
  410: { link: 'The address that took its place.' },
  429: { ...retryAfter, ...rates, ...budgetHeaders },
  503: retryAfter,
}

export const veniceFailures: Readonly<Record<string, Answer>> = Object.fromEntries(
  Object.entries(meanings).map(([status, description]): [string, Answer] => [
    status,
    {
      description,
      headers: { ...requestId, ...headers[status] },
      content: { 'application/json': bodies[status] ?? standard },
    },
  ]),
)
