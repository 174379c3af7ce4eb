import { describe, expect, it } from 'vitest'
import { decoded } from '../../../../test/support/venice/decode-body.ts'

const parametersOf = (members: object) => decoded(members).composition.parameters

describe('sampling', () => {
  const sampling = {
    temperature: 0,
    top_p: 0.9,
    top_k: 0,
    min_p: 0.1,
    min_temp: 0,
    max_temp: 2,
    repetition_penalty: 1.1,
    frequency_penalty: -2,
    presence_penalty: 0,
    n: 2,
    seed: 7,
    stop: ['a'],
    stop_token_ids: [1],
  }

  it('reaches the engine under its own name, zeros too', () => {
    expect(parametersOf(sampling)).toEqual(sampling)
  })

  it.each(Object.entries(sampling))('%s reaches it only when given', (name, value) => {
    expect(parametersOf({ [name]: value })).toEqual({ [name]: value })
    expect(parametersOf({ [name]: null })).toEqual({})
  })

  it('is multiplied in the hold', () => {
    expect(decoded({ n: 3 }).request.choices).toBe(3)
    expect(decoded({}).request.choices).toBe(1)
  })
})

describe('a stream', () => {
  it.each([
    [{ stream: true, stream_options: { include_usage: false } }, { stream: true }],
    [{ stream: false, stream_options: { include_usage: true } }, {}],
    [{ stream: null }, {}],
  ])('asked for as %j is %j', (members, parameters) => {
    const { request, composition } = decoded(members)
    expect(composition.parameters).toEqual(parameters)
    expect(request.stream).toBe('stream' in parameters)
  })
})

describe('probabilities', () => {
  it.each([
    [{ logprobs: true }, { logprobs: true }],
    [{ logprobs: false }, { logprobs: false }],
    [
      { logprobs: true, top_logprobs: 3 },
      { logprobs: true, top_logprobs: 3 },
    ],
    [{ top_logprobs: 0 }, { logprobs: true, top_logprobs: 0 }],
    [{ logprobs: false, top_logprobs: 3 }, { logprobs: false }],
  ])('asked for as %j reach the engine as %j', (members, parameters) => {
    expect(parametersOf(members)).toEqual(parameters)
  })
})

describe('the format of the answer', () => {
  const schema = { type: 'object', properties: { a: { enum: [1, null] } }, required: ['a'] }
  it.each([
    [{ type: 'text' }, { type: 'text' }],
    [{ type: 'json_object' }, { type: 'json_object' }],
    [
      { type: 'json_schema', json_schema: { name: 'person', strict: true, schema } },
      { type: 'json_schema', json_schema: { name: 'person', strict: true, schema } },
    ],
    [
      { type: 'json_schema', json_schema: { schema, description: 'd', more: 1 } },
      { type: 'json_schema', json_schema: { name: 'response', description: 'd', schema } },
    ],
    [
      { type: 'json_schema', json_schema: { name: 7, strict: 'yes', schema } },
      { type: 'json_schema', json_schema: { name: 'response', schema } },
    ],
    [
      { type: 'json_schema', json_schema: schema },
      { type: 'json_schema', json_schema: { name: 'response', schema } },
    ],
  ])('given as %j is %j', (given, expected) => {
    expect(parametersOf({ response_format: given })).toEqual({ response_format: expected })
  })
})

describe('what is never sent on', () => {
  it('are settings, and what clients of other services send', () => {
    const others = { venice_parameters: { enable_web_search: 'on' }, user: 'u', store: true, metadata: {}, include: [] }
    expect(parametersOf(others)).toEqual({})
  })
})
