import { afterEach, describe, expect, it } from 'vitest'
import { expectError, useGateway } from '../support/gateway/index.ts'
import { openRaw, rawRequest } from '../support/raw-http.ts'

/** Bodies that are wrong, and numbers at every boundary: always the error shape, never a hold, never an engine call. */

const gateway = useGateway()

const path = '/v1/chat/completions'
const message = '{"role":"user","content":"hi"}'
const bodyWith = (member: string) => `{"model":"test/model","messages":[${message}],${member}}`

afterEach(async () => {
  const { balanceNano, availableNano } = await gateway.client.credits()
  expect(availableNano).toBe(balanceNano)
})

async function refused(body: string | Buffer, expected: Parameters<typeof expectError>[1], what = '') {
  const before = gateway.engine().requests.length
  const answer = await gateway.client.chat(body)
  expect([what, answer.status, answer.text]).toEqual([what, expected.status, expect.any(String)])
  expect(gateway.engine().requests).toHaveLength(before)
  return expectError(answer, expected)
}

describe('a body that is wrong is refused by name', () => {
  it.each([
    ['nothing', '', 'invalid_json', null],
    ['white space', ' \n', 'invalid_json', null],
    ['text', 'hello', 'invalid_json', null],
    ['half of an object', '{"model":"test/model"', 'invalid_json', null],
    ['something behind the object', '{"model":"test/model"} x', 'invalid_json', null],
    ['a list', '[]', 'invalid_json', null],
    ['null', 'null', 'invalid_json', null],
    ['a comment', bodyWith('/* no */"a":1'), 'invalid_json', null],
    ['single quotes', "{'model':'test/model'}", 'invalid_json', null],
    ['NaN', bodyWith('"temperature":NaN'), 'invalid_json', null],
    ['a control character in a text', bodyWith('"a":"\u0001"'), 'invalid_json', null],
    ['no model', `{"messages":[${message}]}`, 'missing_model', 'model'],
    ['a number for a model', `{"model":7,"messages":[${message}]}`, 'missing_model', 'model'],
    ['an empty model', `{"model":"","messages":[${message}]}`, 'missing_model', 'model'],
    ['no messages', '{"model":"test/model"}', 'invalid_messages', 'messages'],
    ['empty messages', '{"model":"test/model","messages":[]}', 'invalid_messages', 'messages'],
    ['text for messages', '{"model":"test/model","messages":"hi"}', 'invalid_messages', 'messages'],
    ['a message that is text', '{"model":"test/model","messages":["hi"]}', 'invalid_messages', 'messages.0'],
    ['no role', '{"model":"test/model","messages":[{"content":"hi"}]}', 'invalid_messages', 'messages.0.role'],
    ['no content', '{"model":"test/model","messages":[{"role":"user"}]}', 'invalid_messages', 'messages.0.content'],
    [
      'content that is a number',
      '{"model":"test/model","messages":[{"role":"user","content":7}]}',
      'invalid_messages',
      'messages.0.content',
    ],
    ['text for stream', bodyWith('"stream":"true"'), 'invalid_value', 'stream'],
    ['a number for stream', bodyWith('"stream":1'), 'invalid_value', 'stream'],
    ['a number for prompt_cache_key', bodyWith('"prompt_cache_key":1'), 'invalid_value', 'prompt_cache_key'],
  ])('%s', async (_, body, code, param) => {
    await refused(body, { status: 400, code, param })
  })

  it('bytes that are not UTF-8', async () => {
    const [before = '', after = ''] = bodyWith('"a":"here"').split('here')
    for (const bytes of [[0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff], [0xe2, 0x82]]) {
      const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
      await refused(body, { status: 400, code: 'invalid_json' }, JSON.stringify(bytes))
    }
  })

  it('nesting deeper than 64 levels, and quickly however deep', async () => {
    const nested = (depth: number) => bodyWith(`"deep":${'['.repeat(depth)}${']'.repeat(depth)}`)
    const fits = await gateway.client.chat(nested(60))
    expect(fits.status).toBe(200)
    for (const depth of [65, 1_000, 200_000]) await refused(nested(depth), { status: 400, code: 'invalid_json' })
    await refused(bodyWith(`"deep":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`), {
      status: 400,
      code: 'invalid_json',
    })
  })

  it('more than 10,000 members, which is not called nesting', async () => {
    const members = Array.from({ length: 10_001 }, (_, index) => `"a${index}":1`).join()
    const { status, text } = await gateway.client.chat(bodyWith(members))
    expect([status, text]).toEqual([400, expect.stringContaining('The body has more than 10000 top-level members.')])
  })
})

describe('names that mean something to JavaScript mean nothing here', () => {
  it.each([
    '"__proto__":{"model":"other","stream":true,"n":99}',
    '"constructor":{"prototype":{"polluted":1}}',
    '"venym":{}, "hasOwnProperty":1, "toString":null',
  ])('%s is forwarded and changes nothing', async member => {
    const answer = await gateway.client.chat(bodyWith(member))
    expect(answer.status).toBe(200)
    expect(answer.json.choices).toHaveLength(1)
    const sent = gateway.engine().requests[0]?.rawBody.toString() ?? ''
    expect(sent).toContain(member.split(', ').at(-1))
    expect((await gateway.client.chat()).json.model).toBe('test/model')
  })

  it('and are refused inside of venym, as any other key', async () => {
    await refused(bodyWith('"venym":{"__proto__":{"web_search":true}}'), { status: 400, code: 'unknown_key' })
  })
})

/** Spellings as they stand in the body, and which of them are whole numbers from 1 to 2^53 − 1. */
const spellings = [
  '-1',
  '-0',
  '0',
  '1',
  '1.0',
  '1.5',
  '2147483647',
  '2147483648',
  '2147483649',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775808',
  '18446744073709551615',
  '18446744073686646784',
  '1e308',
  '1e999',
  '-1e999',
  '5e-324',
  '"1"',
  '[1]',
  '{}',
  'true',
  'false',
]
const positiveIntegers = ['1', '1.0', '2147483647', '2147483648', '2147483649', '4294967296', '9007199254740991']

describe('a number at a boundary has its effect or is refused by name', () => {
  it.each(['max_tokens', 'max_completion_tokens'])('%s', async field => {
    for (const spelling of spellings) {
      if (positiveIntegers.includes(spelling)) {
        const answer = await gateway.client.chat(bodyWith(`"${field}":${spelling}`))
        expect([spelling, answer.status]).toEqual([spelling, 200])
        const limit = Math.min(Number(spelling), 1_000)
        expect(gateway.engine().requests.at(-1)?.body?.['max_tokens']).toBe(limit)
      } else
        await refused(
          bodyWith(`"${field}":${spelling}`),
          { status: 400, code: 'invalid_value', param: field },
          spelling,
        )
    }
  })

  it.each(['n', 'best_of'])('%s', async field => {
    for (const spelling of spellings) {
      if (Number(spelling) === 1 && !spelling.startsWith('"') && !spelling.startsWith('[') && spelling !== 'true') {
        expect((await gateway.client.chat(bodyWith(`"${field}":${spelling}`))).status).toBe(200)
      } else {
        // Beyond the model's choices it is `n` that is named, whichever of the two asked for them.
        const param = positiveIntegers.includes(spelling) ? 'n' : field
        await refused(bodyWith(`"${field}":${spelling}`), { status: 400, code: 'invalid_value', param }, spelling)
      }
    }
  })

  it('venym.search_results', async () => {
    for (const spelling of spellings) {
      const body = bodyWith(`"venym":{"search_results":${spelling}}`)
      const value: unknown = JSON.parse(spelling)
      if (typeof value === 'number' && Number.isInteger(value) && value >= 1) {
        expect([spelling, (await gateway.client.chat(body)).status]).toEqual([spelling, 200])
      } else await refused(body, { status: 400, code: 'invalid_value', param: 'venym.search_results' }, spelling)
    }
  })

  it.each(['temperature', 'top_p', 'seed', 'top_k', 'presence_penalty', 'logprobs', 'top_logprobs', 'param_from_2031'])(
    '%s is the engine’s business and arrives as it was spelt',
    async field => {
      for (const spelling of spellings) {
        const answer = await gateway.client.chat(bodyWith(`"${field}":${spelling}`))
        expect([spelling, answer.status]).toEqual([spelling, 200])
        expect(gateway.engine().requests.at(-1)?.rawBody.toString()).toContain(`"${field}":${spelling}`)
      }
    },
  )
})

describe('method and type', () => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s is not the method of a completion', async method => {
    const answer = await gateway.client.send(path, { method, ...(method === 'GET' ? {} : { body: bodyWith('"a":1') }) })
    expectError(answer, { status: 405, code: 'method_not_allowed' })
    expect(answer.headers.allow).toContain('POST')
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json, text/plain',
    '',
    'application/json;x',
  ])('the type %j is refused', async type => {
    const answer = await gateway.client.chat(bodyWith('"a":1'), { headers: { 'content-type': type } })
    expectError(answer, { status: 415, code: 'unsupported_content_type' })
    expect(gateway.engine().requests).toHaveLength(0)
  })

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('the type %j is accepted', async type => {
    const answer = await gateway.client.chat(bodyWith('"a":1'), { headers: { 'content-type': type } })
    expect(answer.status).toBe(200)
  })

  it.each(['gzip', 'br', 'deflate', 'gzip, identity'])('the coding %s is refused', async coding => {
    const answer = await gateway.client.chat(bodyWith('"a":1'), { headers: { 'content-encoding': coding } })
    expectError(answer, { status: 415, code: 'unsupported_content_type' })
  })
})

describe('an address that cannot be read', () => {
  it.each(['/v1/models/%zz', '/v1/models/%ff%fe', '/v1/models/%', '/v1/models/%c0%af'])(
    '%s is an error in our shape',
    async address => {
      expectError(await gateway.client.send(address), { status: 400, code: 'bad_request' })
    },
  )
})

describe('credentials, method and length are judged before a body byte is read', () => {
  it.each([
    ['a wrong key', { Authorization: 'Bearer vk-wrong' }, 401],
    ['a body that is announced too large', { 'Content-Length': '36700161' }, 413],
    ['a wrong type', { 'Content-Type': 'text/plain' }, 415],
  ])('%s is answered while the body has not come', async (_, headers, status) => {
    const connection = await openRaw(gateway.port)
    const common = { Authorization: `Bearer ${gateway.account().key}`, 'Content-Length': '1000000' }
    const head = rawRequest(path, { headers: { ...common, ...headers } })
    await connection.send(head)
    const response = await connection.response()
    expect(response.status).toBe(status)
    expect(JSON.parse(response.text)).toMatchObject({ error: { type: expect.any(String) } })
    connection.destroy()
  })
})

describe('the largest body', () => {
  const largest = 36_700_160

  it.each([
    [largest - 1, 200],
    [largest, 200],
    [largest + 1, 413],
  ])('of %i bytes is answered with %i', { timeout: 60_000 }, async (size, status) => {
    const start = bodyWith('"filler":"').slice(0, -1)
    const body = Buffer.alloc(size, 'x')
    body.write(start)
    body.write('"}', size - 2)
    const answer = await gateway.client.chat(body)
    expect(answer.status).toBe(status)
    if (status === 413) expectError(answer, { status, code: 'body_too_large' })
    else expect(gateway.engine().requests[0]?.rawBody.length).toBeGreaterThan(size)
  })

  it('without a length is cut off at the same byte', { timeout: 60_000 }, async () => {
    const body = Buffer.alloc(largest + 1, ' ')
    const answer = await gateway.client.chat(body, { headers: { 'transfer-encoding': 'chunked' } })
    expectError(answer, { status: 413, code: 'body_too_large' })
  })
})
