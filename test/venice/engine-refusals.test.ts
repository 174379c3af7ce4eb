import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { errorEvent, status } from '../support/mock-engine/index.ts'
import { adminClient } from '../support/venice/admin-client.ts'

const gateway = useGateway({
  engines: { main: {}, spare: {} },
  models: { 'test/model': { engines: ['main', 'spare'] } },
})
const call = adminClient(gateway, 'main')
const ask = (change: object = {}) =>
  call('POST', '/chat/completions', {
    body: { model: 'test/model', messages: [{ role: 'user', content: 'Hi' }], ...change },
  })
const policyText = 'Your prompt violates the content policy of rialto or the model provider'
const filtered = { error: { message: 'Filtered by the content management policy.', code: 'content_filter' } }

describe('POST /api/v1/chat/completions: 422', () => {
  it.each([400, 422])('when the engine refuses the content with %i', async code => {
    gateway.engine('main').always(status(code, { body: filtered }))
    for (const stream of [false, true]) {
      const refused = await ask({ stream })
      expect(refused.status).toBe(422)
      expect(refused.body).toMatchObject({ error: policyText, code: 'CONTENT_POLICY_VIOLATION' })
    }
    expect(gateway.engine('spare').requests).toHaveLength(0)
    const plain = await gateway.client.chat()
    expect([plain.status, plain.json.error]).toEqual([code, expect.objectContaining({ code: 'content_filter' })])
  })

  it('when its stream begins with that', async () => {
    gateway.engine('main').always(errorEvent({ afterChunks: 0, data: JSON.stringify(filtered) }))
    for (const change of [{ stream: true }, { stream: true, venice_parameters: { strip_thinking_response: true } }])
      expect((await ask(change)).body).toMatchObject({ error: policyText })
    expect(gateway.engine('spare').requests).toHaveLength(0)
  })

  it('not when output had begun: then the stream says so and ends, and what was generated is charged', async () => {
    gateway.engine('main').always(errorEvent({ afterChunks: 3, data: JSON.stringify(filtered) }))
    const before = await gateway.client.credits()
    const { status: code, text } = await ask({ stream: true })
    const events = text.split('\n\n').filter(event => event.startsWith('data: '))
    expect(code).toBe(200)
    expect(events.at(-1)).toBe('data: [DONE]')
    expect(JSON.parse(events.at(-2)?.slice('data: '.length) ?? '')).toMatchObject({
      error: { type: 'content_filter_error', code: 'content_blocked_by_provider' },
    })
    expect((await gateway.client.credits()).usedNano).toBeGreaterThan(before.usedNano)
  })
})

describe('POST /api/v1/chat/completions: 400 from an engine', () => {
  it('tells what the engine’s validation found, at most five fields', async () => {
    const detail = Array.from({ length: 7 }, (_, index) => ({ loc: ['body', 'stop', index], msg: 'too long' }))
    gateway.engine('main').always(status(422, { body: { detail } }))
    const { status: code, body, headers } = await ask()
    expect([code, body]).toEqual([
      400,
      {
        error: 'stop.0: too long; stop.1: too long; stop.2: too long; stop.3: too long; stop.4: too long',
        request_id: headers['x-request-id'],
      },
    ])
  })

  it('hands its words on', async () => {
    gateway.engine('main').always(status(400, { body: { error: { message: 'no such voice', code: 'bad' } } }))
    const { status: code, body, headers } = await ask()
    expect([code, body]).toEqual([400, { error: 'no such voice', request_id: headers['x-request-id'] }])
  })

  it('says that the context is too long in the one shape for it', async () => {
    const message = "This model's maximum context length is 10 tokens."
    gateway.engine('main').always(status(400, { body: { object: 'error', message, code: 400 } }))
    const { status: code, body } = await ask()
    const error = { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' }
    expect([code, body]).toEqual([400, { error }])
  })
})
