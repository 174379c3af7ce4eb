import { describe, expect, it } from 'vitest'
import { openLimits, useGateway } from '../support/gateway/index.ts'
import { dataUrl, makePicture } from '../support/media/pictures.ts'
import { detailed, expectRow } from '../support/venice/expect-row.ts'
import { freshCallers } from '../support/venice/fresh-callers.ts'

/*
 * The tables of venice.md §4.1 and §4.2, row by row: here what is wrong with a request. error-rows-access.test.ts has
 * what it may not do, error-rows-engine.test.ts what an engine does, error-rows-limits.test.ts money and limits. Rows that nothing can bring about:
 * - Sign-in (401 X402_SIGN_IN_…), wallet concurrency, 402 with payments, top-ups, the 409s of payments and
 *   X402_WALLET_MISMATCH: the gateway takes no wallets; what it says to one is in error-rows-access.test.ts.
 * - TEE_ATTESTATION_FAILED, TEE_SIGNATURE_FAILED: there are no such models and no `/tee`.
 * - `/responses` (500 for overload and timeout), MEDIA_NOT_FOUND, REQUEST_ID_NOT_FOUND, `suggested_prompt`: there are no
 *   such routes, nor those that make images, sounds and films.
 * - INVALID_MODEL: completions are the only route that takes a model, and an unknown one is 404.
 * - API_ACCESS_DISABLED: no account can be closed to the API; a key that was taken back is 401.
 */

const gateway = useGateway({
  models: {
    'demo/small': { capabilities: { functionCalling: false, vision: true, audioInput: true, videoInput: true } },
    'demo/capped': { apiCap: true, maxOutputTokens: 100 },
  },
  settings: { limits: { ...openLimits, errorBudget: { failed: 50, unsupported: 200, windowSeconds: 300 } } },
})
const { ask, call, newKey } = freshCallers(gateway, 'demo/small')

const invalid = 'Invalid request parameters'
const custom = (message: string, facts: object = {}) => ({ code: 'custom', ...facts, message })
const part = (content: object) => ({ messages: [{ role: 'user', content: [content] }] })

function refusedMedium(kind: string, type: string, member: string) {
  const title = `Supplied ${kind} did not pass validation checks.`
  const path = ['messages', 0, 'content', 0, type, member]
  return { status: 400, body: detailed(title, path, custom(expect.stringContaining(title))), left: 49 }
}

describe('400', () => {
  it('INVALID_REQUEST, in detail', async () => {
    const message = 'Number must be less than or equal to 2'
    const issue = { code: 'too_big', maximum: 2, type: 'number', inclusive: true, exact: false, message }
    const body = detailed(invalid, ['temperature'], issue)
    expectRow(await ask({ temperature: 3 }), { status: 400, body, left: 49 })
    expectRow(await ask({ temperature: 3, stream: true }), { status: 400, body, left: 49 })
  })

  it.each([
    [{ model: undefined }, 'model is required'],
    [{ model: 5 }, 'model must be a string'],
  ])('INVALID_REQUEST: %j', async (change, text) => {
    expectRow(await ask(change), { status: 400, body: detailed(text, ['model'], custom(text)), left: 49 })
  })

  it('INVALID_REQUEST: more than the model writes', async () => {
    const text = "max_completion_tokens (500) exceeds the maximum allowed for model 'demo/capped' (100)"
    const answer = await ask({ model: 'demo/capped', max_completion_tokens: 500 })
    expectRow(answer, { status: 400, body: detailed(text, ['max_completion_tokens'], custom(text)), left: 49 })
  })

  it('INVALID_REQUEST: what the model cannot do, in the larger budget', async () => {
    const issue = custom('tools is not supported by this model', { capability: 'functionCalling', model: 'demo/small' })
    const answer = await ask({ tools: [{ type: 'function', function: { name: 'f' } }] })
    expectRow(answer, { status: 400, body: detailed(invalid, ['tools'], issue), left: 50 })
  })

  it.each([
    ['CORRUPTED_IMAGE', async () => dataUrl('image/png', Buffer.from('no picture'))],
    ['IMAGE_TOO_SMALL', async () => dataUrl('image/png', await makePicture('png', 8, 8))],
  ])('%s', async (_, url) => {
    const content = { type: 'image_url', image_url: { url: await url() } }
    expectRow(await ask(part(content)), refusedMedium('image', 'image_url', 'url'))
  })

  it.each([
    ['INVALID_AUDIO_FORMAT', 'audio', { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }, 'data'],
    ['INVALID_VIDEO_FORMAT', 'video', { type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } }, 'url'],
  ])('%s', async (_, kind, content, member) => {
    expectRow(await ask(part(content)), refusedMedium(kind, content.type, member))
  })

  it('no JSON, and no body that says that it is: before the budget is looked at', async () => {
    expectRow(await ask('{'), {
      status: 400,
      body: { error: 'Invalid JSON request', message: expect.any(String) },
      left: null,
    })
    const type = { headers: { 'content-type': 'text/plain' } }
    const body = { error: "'Content-Type' must be 'application/json'", message: expect.any(String) }
    expectRow(await ask({}, type), { status: 400, body, left: null })
  })

  it.each(['payment-signature', 'x-402-payment', 'x-payment'])('PAYMENT_HEADER_NOT_ACCEPTED: %s', async name => {
    const body = { error: expect.stringContaining(`\`${name}\``), code: 'PAYMENT_HEADER_NOT_ACCEPTED' }
    const headers = { [name]: 'e30=' }
    for (const key of [{}, { key: null }])
      expectRow(await ask({}, { ...key, headers }), { status: 400, body, left: null })
    const search = await call('POST', '/augment/search', { key: null, body: { query: 'q' }, headers })
    expectRow(search, { status: 400, body, left: null })
  })

  const file = { type: 'file', file: { file_data: 'data:text/plain;base64,aGk=', filename: 'a.txt' } }
  it.each([
    ['X-Venice-TEE-Client-Pub-Key', `04${'a'.repeat(128)}`, {}],
    ['X-Venice-TEE-Model-Pub-Key', `04${'b'.repeat(128)}`, { stream: true }],
    ['X-Venice-TEE-Signing-Algo', 'ecdsa', { venice_parameters: { enable_e2ee: false } }],
    ['x-venice-tee-client-pubkey', '', {}],
    ['X-Venice-TEE-Signing-Algo', 'ecdsa', part(file)],
  ])('E2EE header %s: never served in plain', async (name, value, change) => {
    const key = await newKey()
    const before = await gateway.client.credits(key)
    const message = expect.stringMatching(new RegExp(`^Invalid E2EE headers: .*\`${name.toLowerCase()}\``))
    const body = { error: { message, type: 'invalid_request_error' } }
    expectRow(await ask(change, { key, headers: { [name]: value } }), { status: 400, body, left: null })
    for (const engine of gateway.engines.values()) expect(engine.requests).toHaveLength(0)
    expect(await gateway.client.credits(key)).toEqual(before)
  })
})
