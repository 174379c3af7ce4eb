import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { surfaces } from '../../src/server/surfaces.ts'
import { useGateway } from '../support/gateway/index.ts'
import { documentFor } from '../support/openapi/document.ts'
import { findOperation } from '../support/openapi/find-operation.ts'
import { judgeExchange } from '../support/openapi/judge-exchange.ts'
import type { OpenApiDocument } from '../support/openapi/schema-judge.ts'

const publicUrl = 'https://models.example'
const gateway = useGateway({ settings: { server: { publicUrl } } })

const open = (headers: Record<string, string> = {}, method = 'GET') =>
  gateway.client.send('/openapi.json', { key: null, headers, method })

const document = (await documentFor(publicUrl)) as OpenApiDocument

describe('GET /openapi.json', () => {
  it('describes both surfaces to everybody, at the address that callers use', async () => {
    const { status, headers, json } = await open()
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(json).toMatchObject({ openapi: '3.1.0', servers: [{ url: publicUrl }] })
    expect(Object.keys(json['paths'] as object)).toContain('/v1/chat/completions')
    expect(Object.keys(json['paths'] as object)).toContain('/api/v1/chat/completions')
  })

  it('is the document that every other answer of these tests is compared with', async () => {
    expect((await open()).json).toEqual({ ...document, servers: [{ url: publicUrl }] })
  })

  it('is sent once to whoever keeps it', async () => {
    const { etag } = (await open()).headers
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    for (const named of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await open({ 'if-none-match': named ?? '' })
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    }
    expect((await open({ 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('may be read by pages of any origin, and takes no other method', async () => {
    expect((await open({ origin: 'https://page.example' })).headers['access-control-allow-origin']).toBe('*')
    expect((await open({ origin: 'https://page.example' }, 'OPTIONS')).headers['access-control-allow-origin']).toBe('*')
    const refused = await open({}, 'DELETE')
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD'])
  })
})

describe('the document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true })
  })

  it('has every address of both surfaces', () => {
    const addresses = surfaces.flatMap(({ completions, readOnlyRoutes }) => [
      ['POST', completions.route] as const,
      ...readOnlyRoutes.map(route => ['GET', route.replace(/:\w+|\*/g, 'x')] as const),
    ])
    const missing = addresses.filter(
      ([method, path]) => (findOperation(document, method, path)?.operation ?? null) === null,
    )
    expect(missing).toEqual([])
  })

  it('names each operation once, and refers to nothing that is not there', () => {
    const text = JSON.stringify(document)
    const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const named = { ...document.components } as Record<string, Record<string, unknown>>
    const references = [...text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)]
    expect(references.filter(([, kind = '', name = '']) => named[kind]?.[name] === undefined)).toEqual([])
  })
})

describe('the comparison of answers with the document', () => {
  const exchange = {
    method: 'GET',
    path: '/v1/models',
    requestBody: null,
    status: 200,
    contentType: 'application/json',
  }
  const credits = { total_credits: 1, total_usage: 0, balance: 1, available: 1 }

  it.each([
    ['a member that is not described', { ...exchange, text: '{"object":"list","data":[],"more":1}' }],
    ['a member that is missing', { ...exchange, text: '{"object":"list"}' }],
    ['a member of another type', { ...exchange, text: '{"object":"list","data":5}' }],
    ['a status that is not described', { ...exchange, status: 202, text: '{}' }],
    ['a type that is not described', { ...exchange, contentType: 'text/html', text: '{}' }],
    ['an address that is not described', { ...exchange, path: '/v1/secrets', text: '{}' }],
    [
      'an event that is not described',
      { ...exchange, ...chat(), contentType: 'text/event-stream', text: 'data: {}\n\n' },
    ],
    [
      'a request that was taken, and should not have been',
      { ...exchange, ...chat(), requestBody: '{"zebra":1}', status: 200, contentType: 'text/event-stream', text: '' },
    ],
    ['an error of another shape', { ...exchange, path: '/v1/key', status: 401, text: '{"error":"no"}' }],
  ])('finds %s', (_, wrong) => {
    expect(judgeExchange(wrong)).not.toEqual([])
  })

  it('finds nothing wrong with what is right', () => {
    expect(judgeExchange({ ...exchange, path: '/v1/credits', text: JSON.stringify({ data: credits }) })).toEqual([])
  })
})

function chat() {
  return { method: 'POST', path: '/api/v1/chat/completions' }
}
