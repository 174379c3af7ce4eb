import { afterAll, describe, expect, it } from 'vitest'
import { GatewayError } from '../../src/core/gateway-error.ts'
import { veniceErrors } from '../../src/dialects/venice/encode/encode-error.ts'
import { openLimits, useGateway } from '../support/gateway/index.ts'
import { hang, status } from '../support/mock-engine/index.ts'
import { startMockSearch } from '../support/mock-search/mock-search.ts'
import { expectRow } from '../support/venice/expect-row.ts'
import { freshCallers } from '../support/venice/fresh-callers.ts'

/* venice.md §4.1 and §4.2: what an engine says no to, and what is told when one fails. */

const search = await startMockSearch('searxng')
afterAll(() => search.close())

const gateway = useGateway({
  engines: {
    main: {},
    slow: { timeouts: { firstByteMs: 300, totalMs: 600 } },
    full: { maxConcurrency: 0 },
    drained: {},
  },
  models: {
    'demo/small': { engines: ['main'] },
    'demo/slow': { engines: ['slow'] },
    'demo/full': { engines: ['full'] },
    'demo/drained': { engines: ['drained'] },
  },
  settings: {
    limits: { ...openLimits, errorBudget: { failed: 50, unsupported: 200, windowSeconds: 300 } },
    search: { provider: 'searxng', fallback: [], baseUrl: search.address },
  },
})
const { ask, call, newKey } = freshCallers(gateway, 'demo/small')
const says = (code: number, body: object, headers: [string, string][] = []) =>
  gateway.engine('main').always(status(code, { body, headers }))
const streamed = [false, true]

describe('400', () => {
  it('TOO_MANY_TOKENS: the object for it, whatever the engine’s own shape', async () => {
    const message = "This model's maximum context length is 10 tokens."
    const error = { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' }
    for (const body of [
      { error: { message, code: 'context_length_exceeded' } },
      { object: 'error', message, code: 400 },
    ])
      for (const stream of streamed) {
        says(400, body)
        expectRow(await ask({ stream }), { status: 400, body: { error }, left: 50 })
      }
  })

  it('an upstream refusal: the provider’s words, in the larger budget', async () => {
    for (const stream of streamed) {
      says(400, { error: { message: 'no such voice', code: 'bad' } })
      const answer = await ask({ stream })
      const body = { error: 'no such voice', request_id: answer.headers['x-request-id'] }
      expectRow(answer, { status: 400, body, left: 50 })
    }
  })

  it('a provider’s own 422: at most five fields', async () => {
    says(422, { detail: Array.from({ length: 7 }, (_, at) => ({ loc: ['body', 'stop', at], msg: 'too long' })) })
    const answer = await ask()
    const error = [0, 1, 2, 3, 4].map(at => `stop.${at}: too long`).join('; ')
    expectRow(answer, { status: 400, body: { error, request_id: answer.headers['x-request-id'] }, left: 50 })
  })
})

it('422 CONTENT_POLICY_VIOLATION', async () => {
  says(400, { error: { message: 'Filtered by the content management policy.', code: 'content_filter' } })
  const error = 'Your prompt violates the content policy of rialto or the model provider'
  const body = { error, code: 'CONTENT_POLICY_VIOLATION', message: expect.any(String) }
  for (const stream of streamed) expectRow(await ask({ stream }), { status: 422, body, left: 50 })
})

describe('429', () => {
  it.each([
    [[['Retry-After', '7']], '7'],
    [[], '30'],
  ] satisfies [[string, string][], string][])('MODEL_OVERLOADED: %j', async (headers, retryAfter) => {
    says(429, { error: { message: 'busy' } }, headers)
    const body = {
      error: 'The model is currently overloaded. Please try again later.',
      code: 'MODEL_OVERLOADED',
      message: `Every engine of this model is overloaded. Try again in ${retryAfter} seconds.`,
    }
    for (const stream of streamed) expectRow(await ask({ stream }), { status: 429, body, left: 50, retryAfter })
  })
})

describe('500', () => {
  it('INFERENCE_FAILED, which counts in no budget', async () => {
    const body = { error: 'Inference processing failed', code: 'INFERENCE_FAILED', message: expect.any(String) }
    for (const code of [500, 401]) {
      says(code, { error: { message: 'secret' } })
      for (const stream of streamed) expectRow(await ask({ stream }), { status: 500, body, left: 50 })
    }
  })

  it('UNKNOWN_ERROR, which no caller can bring about', () => {
    const context = { requestId: 'req_1', path: '/', publicUrl: 'https://gw.example', operatorName: 'rialto', nowMs: 0 }
    const { status: code, body } = veniceErrors.renderError(new GatewayError('internal', 'It is our fault.'), context)
    expect([code, JSON.parse(body)]).toEqual([
      500,
      { error: 'An unknown error occurred', code: 'UNKNOWN_ERROR', message: 'It is our fault.' },
    ])
  })
})

describe('503', () => {
  it('MODEL_OFFLINE: the operator took every engine of the model out of service', async () => {
    const operator = { key: gateway.secrets.operatorToken, method: 'POST', body: '{}' }
    await gateway.client.send('/admin/v1/engines/drained/drain', operator)
    const error = 'The model is temporarily offline. Please try again later.'
    const body = { error, code: 'MODEL_OFFLINE', message: expect.stringContaining('by the operator') }
    for (const stream of streamed)
      expectRow(await ask({ model: 'demo/drained', stream }), { status: 503, body, left: 50, retryAfter: '30' })
  })

  it('MODEL_AT_CAPACITY', async () => {
    const error = 'The model is at capacity. Please try again later.'
    const body = { error, code: 'MODEL_AT_CAPACITY', message: expect.any(String) }
    for (const stream of streamed)
      expectRow(await ask({ model: 'demo/full', stream }), { status: 503, body, left: 50, retryAfter: '5' })
  })

  it('what is no model’s fault does not speak of one', async () => {
    search.behave({ kind: 'status', status: 500 })
    const answer = await call('POST', '/augment/search', { key: await newKey(), body: { query: 'q' } })
    const body = { error: 'Web search is not available now. Nothing was charged; try again shortly.' }
    expectRow(answer, { status: 503, body, left: 50, retryAfter: '10' })
  })
})

it('504 REQUEST_TIMEOUT', async () => {
  gateway.engine('slow').always(hang('before-headers'))
  const error = 'The request timed out. Try again with stream=true.'
  const body = { error, code: 'REQUEST_TIMEOUT', message: expect.any(String) }
  const headers = { 'x-should-retry': 'false' }
  for (const stream of streamed)
    expectRow(await ask({ model: 'demo/slow', stream }), { status: 504, body, left: 50, headers })
})
