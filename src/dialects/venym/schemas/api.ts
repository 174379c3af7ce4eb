import { z } from 'zod'
import { openAiError } from '../../openai/schemas/error.ts'
import { completionOperation } from '../../openapi/completion-operation.ts'
import { rateHeaders, requestId, retryAfter } from '../../openapi/headers.ts'
import type { Answer, Api, FailureStatus, Operation } from '../../openapi/operation.ts'
import { credits, key } from './account.ts'
import { completion, completionEvent } from './completion.ts'
import { generation } from './generation.ts'
import { model, modelList } from './models.ts'
import { completionRequest } from './request.ts'

const always: readonly FailureStatus[] = [400, 404, 405, 408, '4XX', 500, 503]
const withKey: readonly FailureStatus[] = [...always, 401]
const rates = rateHeaders('Time until the bucket is full again, such as `8.64s` or `6m0s`.')

const completions = completionOperation({
  path: '/v1/chat/completions',
  id: 'createChatCompletion',
  ...{ request: completionRequest, completion, event: completionEvent },
  headers: { ...rates, 'x-generation-id': 'The completion’s id, for `GET /v1/generation`.' },
  failures: [...withKey, 402, 403, 409, 413, 415, 422, 429, 502, 504],
})

function read(
  path: string,
  facts: Omit<Operation, 'method' | 'path' | 'answers' | 'failures'>,
  schema: z.ZodType,
): Operation {
  const answer: Answer = {
    description: 'What was asked for.',
    headers: requestId,
    content: { 'application/json': schema },
  }
  const failures = facts.access === 'public' ? always : withKey
  return { method: 'get', path, ...facts, answers: { 200: answer }, failures }
}

const generationQuery = z.object({ id: z.string().max(100).describe('The id of a completion.') })

const operations: readonly Operation[] = [
  completions,
  read(
    '/v1/models',
    { id: 'listModels', tag: 'Models', summary: 'All models with limits and prices.', access: 'public' },
    modelList,
  ),
  read(
    '/v1/models/{id}',
    {
      ...{ id: 'getModel', tag: 'Models', summary: 'One model.', access: 'public' },
      variables: { id: 'The model’s id; a slash in it may stand as it is, or encoded.' },
    },
    model,
  ),
  read(
    '/v1/credits',
    { id: 'getCredits', tag: 'Account', summary: 'What the account has, and what it used.', access: 'key' },
    credits,
  ),
  read(
    '/v1/key',
    { id: 'getKey', tag: 'Account', summary: 'Limits and use of the key that asks.', access: 'key' },
    key,
  ),
  read(
    '/v1/generation',
    {
      ...{ id: 'getGeneration', tag: 'Account', summary: 'One past call and its charge, explained.', access: 'key' },
      query: generationQuery,
    },
    generation,
  ),
]

const meanings: Readonly<Record<string, string>> = {
  400: 'The request is wrong: `param` names the field.',
  401: 'No key, or one that does not count.',
  402: 'The balance or the limit of the key does not pay for it.',
  403: 'The key may not use this model.',
  404: 'There is no such model, address or generation.',
  405: 'The address takes another method.',
  408: 'The request came too slowly.',
  409: 'A request with this idempotency key runs, or cannot be repeated.',
  413: 'The body is larger than 35 MiB.',
  415: 'The body is no JSON, or is encoded.',
  422: 'The idempotency key belongs to another body.',
  429: 'Too many requests, or every engine is busy: wait for `retry-after` seconds.',
  '4XX': 'The engine refused the request, with its own status and words.',
  500: 'A fault of the gateway.',
  502: 'Every engine failed.',
  503: 'No engine can take it now, or the gateway is about to stop.',
  504: 'The engine took too long.',
}

const waiting = new Set(['408', '409', '429', '503'])

/** `/v1`, for whoever writes clients (venym.md §1, §5). */
export const venymApi: Api = {
  name: 'V1Failure',
  operations,
  failures: Object.fromEntries(
    Object.entries(meanings).map(([status, description]): [string, Answer] => [
      status,
      {
        description,
        headers: { ...requestId, ...(waiting.has(status) ? retryAfter : {}) },
        content: { 'application/json': openAiError },
      },
    ]),
  ),
}
