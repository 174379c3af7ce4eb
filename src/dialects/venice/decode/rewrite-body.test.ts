import { describe, expect, it } from 'vitest'
import { decoded, hello, issuesOf } from '../../../../test/support/venice/decode-body.ts'
import { notOneOf, wrongType } from '../../../../test/support/venice/expected-issues.ts'
import { rewriteBody } from './rewrite-body.ts'

const two = [hello, { role: 'assistant', content: 'Hi' }]

describe('an alias', () => {
  it('gives its value to the field', () => {
    const { request, composition } = decoded({
      messages: undefined,
      input: two,
      max_output_tokens: 7,
      promptCacheKey: 'k',
    })
    expect(composition.messages).toEqual(two)
    expect(request.outputLimit).toBe(7)
    expect(composition.promptCacheKey).toBe('k')
  })

  it('says nothing beside the field itself, in either order', () => {
    for (const body of [
      { promptCacheKey: 'a', prompt_cache_key: 'b', input: 1, messages: two },
      { messages: two, prompt_cache_key: 'b', input: 1, promptCacheKey: 'a' },
    ]) {
      expect(rewriteBody(body)).toEqual({ prompt_cache_key: 'b', messages: two })
    }
  })

  it('speaks for a field that is null', () => {
    expect(rewriteBody({ messages: null, input: two })).toEqual({ messages: two })
    expect(rewriteBody({ input: two, messages: null })).toEqual({ messages: two })
  })

  it('is judged as the field is', () => {
    expect(issuesOf({ max_output_tokens: 'x' })).toEqual([{ ...wrongType('number', 'string'), path: ['max_tokens'] }])
  })

  it('keeps its place among the members', () => {
    expect(Object.keys(rewriteBody({ tools: [], input: [], n: 1 }))).toEqual(['tools', 'messages', 'n'])
  })
})

describe('what is accepted without effect', () => {
  it.each(['user', 'store', 'include', 'metadata'])('%s is dropped whatever it holds', key => {
    for (const value of ['x', true, 1, null, ['a'], { a: 'b' }, { a: 1 }])
      expect(decoded({ [key]: value })).toEqual(decoded({}))
  })
})

describe('the switch for web search', () => {
  it.each([
    [true, 'on'],
    [false, 'off'],
    ['auto', 'auto'],
    [null, 'off'],
  ])('%j means %s', (value, mode) => {
    expect(decoded({ web_search: value }).settings.enableWebSearch).toBe(mode)
  })

  it('gives way to the setting', () => {
    const { settings } = decoded({ web_search: true, venice_parameters: { enable_web_search: 'auto' } })
    expect(settings.enableWebSearch).toBe('auto')
  })

  it('is judged as the setting is', () => {
    const path = ['venice_parameters', 'enable_web_search']
    expect(issuesOf({ web_search: 'maybe' })).toEqual([{ ...notOneOf(['off', 'on', 'auto'], 'maybe'), path }])
  })

  it('does not hide settings that are no object', () => {
    const path = ['venice_parameters']
    expect(issuesOf({ web_search: true, venice_parameters: 'x' })).toEqual([{ ...wrongType('object', 'string'), path }])
  })
})

describe('the output limit', () => {
  it.each([
    [{}, null],
    [{ max_tokens: 5 }, 5],
    [{ max_tokens: 0 }, null],
    [{ max_tokens: -3 }, null],
    [{ max_tokens: null }, null],
    [{ max_completion_tokens: 6 }, 6],
    [{ max_tokens: 5, max_completion_tokens: 6 }, 6],
    [{ max_tokens: 'x', max_completion_tokens: 6 }, 6],
    [{ max_tokens: 5, max_completion_tokens: null }, 5],
  ])('of %j is %j', (limits, expected) => {
    const { request, composition } = decoded(limits)
    expect(request.outputLimit).toBe(expected)
    expect(composition.parameters).toEqual({})
  })
})
