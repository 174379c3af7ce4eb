import { describe, expect, it } from 'vitest'
import { decoded } from '../../../../test/support/venice/decode-body.ts'

const open = { effort: null, enabled: null, summary: null, verbosity: null }
const thoughtless = { venice_parameters: { disable_thinking: true } }

describe('the wish for reasoning', () => {
  it.each([
    [{}, open],
    [{ reasoning_effort: 'high' }, { ...open, effort: 'high' }],
    [{ reasoning: { effort: 'low' } }, { ...open, effort: 'low' }],
    [
      { reasoning_effort: 'high', reasoning: { effort: 'low' } },
      { ...open, effort: 'high' },
    ],
    [
      { reasoning_effort: null, reasoning: { effort: 'low' } },
      { ...open, effort: 'low' },
    ],
    [{ reasoning: { enabled: false } }, { ...open, enabled: false }],
    [{ reasoning: { enabled: true } }, { ...open, enabled: true }],
    [{ reasoning: { enabled: false, effort: 'low' } }, { ...open, effort: 'low' }],
    [
      { reasoning: { enabled: false }, reasoning_effort: 'max' },
      { ...open, effort: 'max' },
    ],
    [{ reasoning: { summary: 'concise' } }, { ...open, summary: 'concise' }],
    [{ verbosity: 'low' }, { ...open, verbosity: 'low' }],
    [{ text: { verbosity: 'high' } }, { ...open, verbosity: 'high' }],
    [
      { verbosity: 'low', text: { verbosity: 'high' } },
      { ...open, verbosity: 'low' },
    ],
    [thoughtless, { ...open, enabled: false }],
    [
      { ...thoughtless, reasoning_effort: 'high', verbosity: 'low' },
      { ...open, enabled: false, verbosity: 'low' },
    ],
  ])('of %j is %j', (body, wish) => {
    const { composition } = decoded(body)
    expect(composition.reasoning).toEqual(wish)
    expect(composition.parameters).toEqual({})
  })
})

describe('what engines spell in their own way', () => {
  it('stands apart from the parameters', () => {
    const { composition } = decoded({
      prompt_cache_key: 'k',
      prompt_cache_retention: '24h',
      anon_user_id: ' end user ',
      fallbacks: [{ model: 'a' }, { model: 'b' }],
      user: 'dropped',
    })
    expect(composition).toMatchObject({
      promptCacheKey: 'k',
      cacheRetention: '24h',
      endUserId: 'end user',
      fallbacks: ['a', 'b'],
      parameters: {},
    })
  })

  it('is absent when it was blank', () => {
    const { composition } = decoded({ prompt_cache_key: '', anon_user_id: '  ', fallbacks: null })
    expect(composition).toMatchObject({ promptCacheKey: null, endUserId: null, fallbacks: [] })
  })
})
