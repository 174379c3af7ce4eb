import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyObjects, nearlyRequests } from '../../../../test/support/venice/arbitrary-body.ts'
import { decoded, hello, names } from '../../../../test/support/venice/decode-body.ts'
import { openAiFaults } from '../../../../test/support/venice/openai-form.ts'
import { GatewayError } from '../../../core/gateway-error.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { readBody } from '../../openai/read-body.ts'
import { openChat } from '../open-chat.ts'
import { decodeChatObject } from './decode-chat.ts'

const runs = { numRuns: process.env['RIALTO_TEST_LONG'] === '1' ? 50_000 : 1_500 }

/** Null for a body that was refused as it should be. */
function take(body: JsonObject) {
  try {
    return decodeChatObject(body, names)
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError)
    const { code, options } = error as GatewayError
    expect(code).toBe('invalid_parameters')
    for (const issue of options.issues ?? []) {
      expect(issue.message).toMatch(/\S/)
      expect(issue.facts['code']).toMatch(/^[a-z_]+$/)
    }
    return null
  }
}

describe('decoding', () => {
  it('takes or refuses anything, and never fails in another way', () => {
    fc.assert(
      fc.property(fc.oneof(anyObjects, nearlyRequests), body => void take(body)),
      runs,
    )
  })

  it('gives engines nothing that OpenAI would not know', () => {
    let taken = 0
    fc.assert(
      fc.property(nearlyRequests, body => {
        const content = take(body)?.request.content
        if (content?.kind !== 'composed') return
        taken++
        const { messages, parameters } = content.composition
        expect(openAiFaults(messages, parameters)).toEqual([])
        expect(messages.length).toBeGreaterThan(0)
      }),
      runs,
    )
    expect(taken).toBeGreaterThan(runs.numRuns / 20)
  })

  it('does not change the body that it reads', () => {
    fc.assert(
      fc.property(nearlyRequests, body => {
        const before = structuredClone(body)
        take(body)
        expect(body).toEqual(before)
      }),
      { numRuns: 300 },
    )
  })

  it('finds nothing to change in what it made', () => {
    fc.assert(
      fc.property(nearlyRequests, body => {
        const content = take(body)?.request.content
        if (content?.kind !== 'composed') return
        const { messages, parameters } = content.composition
        const again = decoded({ ...parameters, messages: [...messages] }).composition
        expect(again.messages).toEqual(messages)
        expect(again.parameters).toEqual(parameters)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('a body', () => {
  it.each([
    ['', 'invalid_json'],
    ['[]', 'invalid_json'],
    ['"x"', 'invalid_json'],
    ['null', 'invalid_json'],
    ['{"model":"m"', 'invalid_json'],
    ['{"model":NaN}', 'invalid_json'],
    ['\ufeff{}', 'invalid_json'],
    ['{"model":"m","model":"n"}', 'duplicate_key'],
    ['{}', 'invalid_parameters'],
  ])('that is %j is %s', (text, code) => {
    expect(() => openChat(readBody(Buffer.from(text))).decode(names)).toThrow(expect.objectContaining({ code }))
  })

  it('that is a request says how it is to be answered', () => {
    const body = { model: 'm', messages: [hello], stream: true }
    const { request } = openChat(readBody(Buffer.from(JSON.stringify(body)))).decode(names)
    expect(request).toMatchObject({
      modelId: 'm',
      stream: true,
      grounding: null,
      policy: {
        overCap: 'reject',
        emptyAnswer: 'free_tokens',
        shownModel: 'resolved',
        modelNames: { kind: 'lenient', prefix: 'venice-' },
      },
    })
  })

  it('may be as deep as JSON may be', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`) as object
    const { parameters } = decoded({ response_format: { type: 'json_schema', json_schema: deep } }).composition
    expect(parameters['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'response', schema: deep },
    })
  })
})
