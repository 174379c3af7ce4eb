import { completionOperation } from '../../openapi/completion-operation.ts'
import type { Api, FailureStatus, Operation } from '../../openapi/operation.ts'
import { charactersQuery, reviewsQuery } from '../decode/decode-characters.ts'
import { accountOperations } from './account-operations.ts'
import { augmentOperations } from './augment-operations.ts'
import { characterList, oneCharacter, reviews } from './characters.ts'
import { completion, completionEvent } from './completion.ts'
import { veniceFailures } from './failures.ts'
import { budgetHeaders, standingHeaders } from './headers.ts'
import { json } from './json-answer.ts'
import { model, modelList, modelMapping, modelsQuery } from './models.ts'
import { completionRequest } from './request.ts'

const completions = completionOperation({
  path: '/api/v1/chat/completions',
  id: 'createStrictChatCompletion',
  ...{ request: completionRequest, completion, event: completionEvent },
  headers: {
    'x-venice-model-id': 'The model that answers.',
    'x-venice-model-name': 'Its name.',
    'x-venice-model-router': 'Who offers it.',
    'x-venice-model-deprecation-warning': 'When it ends, and what comes after it; only for a model that ends.',
    'x-venice-model-deprecation-date': 'The day on which it ends.',
    ...standingHeaders,
    ...budgetHeaders,
  },
  failures: [400, 401, 402, 403, 404, 405, 408, 409, 413, 415, 422, 429, '4XX', 500, 502, 503, 504],
})

const failures: readonly FailureStatus[] = [400, 401, 404, 405, 408, 429, '4XX', 500, 503]
const ofModels = { method: 'get', tag: 'Models', access: 'public', query: modelsQuery, failures } as const
const ofCharacters = { method: 'get', tag: 'Characters', access: 'key', failures: [...failures, 402] } as const
const bySlug = { slug: 'The character’s slug, or its id.' }

const models: readonly Operation[] = [
  {
    ...{ path: '/api/v1/models', id: 'listModelsOfType', summary: 'Models; with a key, those that it may use.' },
    ...ofModels,
    answers: json(modelList),
  },
  {
    ...{ path: '/api/v1/models/traits', id: 'listTraits', summary: 'Traits and the models that stand for them.' },
    ...ofModels,
    answers: json(modelMapping),
  },
  {
    ...{
      path: '/api/v1/models/compatibility_mapping',
      id: 'listCompatibility',
      summary: 'Other sellers’ names of models.',
    },
    ...ofModels,
    answers: json(modelMapping),
  },
  {
    ...{ path: '/api/v1/models/{id}', id: 'getModelOfList', summary: 'One model, as it stands in the list.' },
    ...{ method: 'get', tag: 'Models', access: 'public', failures: [...failures, 403] },
    variables: { id: 'The model’s id; a slash in it may stand as it is, or encoded.' },
    answers: json(model),
  },
]

const pagination = {
  'x-pagination-limit': 'Reviews per page.',
  'x-pagination-page': 'The page.',
  'x-pagination-total': 'All reviews.',
  'x-pagination-total-pages': 'All pages.',
}

const characters: readonly Operation[] = [
  {
    ...{
      path: '/api/v1/characters',
      id: 'listCharacters',
      summary: 'Characters that a model can play.',
      ...ofCharacters,
    },
    query: charactersQuery,
    answers: json(characterList),
  },
  {
    ...{ path: '/api/v1/characters/{slug}', id: 'getCharacter', summary: 'One character.', ...ofCharacters },
    variables: bySlug,
    answers: json(oneCharacter),
  },
  {
    ...{
      path: '/api/v1/characters/{slug}/reviews',
      id: 'listReviews',
      summary: 'What was said of it.',
      ...ofCharacters,
    },
    variables: bySlug,
    query: reviewsQuery,
    answers: json(reviews, pagination),
  },
]

/** `/api/v1`, for whoever writes clients (venice.md). */
export const veniceApi: Api = {
  name: 'ApiV1Failure',
  operations: [completions, ...models, ...characters, ...augmentOperations, ...accountOperations],
  failures: veniceFailures,
}
