import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../lib/json.ts'
import { judgeUsage } from './judge-usage.ts'

const bounds = { promptTokensBound: 1_000, choices: 2, outputLimit: 100 }
const verdictOf = (report: JsonValue | undefined) => judgeUsage(report, bounds).verdict

describe('a report that can be true', () => {
  it('is read with its cached, written and reasoning parts', () => {
    const report = {
      prompt_tokens: 42,
      completion_tokens: 180,
      total_tokens: 222,
      prompt_tokens_details: { cached_tokens: 32, cache_write_tokens: 8, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 120 },
    }
    expect(judgeUsage(report, bounds)).toEqual({
      verdict: 'plausible',
      usage: {
        promptTokens: 42,
        completionTokens: 180,
        cachedTokens: 32,
        cacheWriteTokens: 8,
        reasoningTokens: 120,
      },
    })
  })

  it.each([
    ['cachedTokens', { prompt_tokens_details: { cached_tokens: 7 } }],
    ['cachedTokens', { prompt_tokens_details: null, cache_read_input_tokens: 7 }],
    ['cachedTokens', { prompt_cache_hit_tokens: 7, prompt_cache_miss_tokens: 3 }],
    ['cacheWriteTokens', { prompt_tokens_details: { cache_creation_tokens: 7 } }],
    ['cacheWriteTokens', { cache_creation_input_tokens: 7 }],
    ['reasoningTokens', { reasoning_tokens: 7 }],
  ])('has its %s wherever an engine puts them', (name, extra) => {
    const report = { prompt_tokens: 10, completion_tokens: 10, ...extra }
    expect(judgeUsage(report, bounds)).toMatchObject({ verdict: 'plausible', usage: { [name]: 7 } })
  })

  it('may be zero, which is not missing', () => {
    expect(verdictOf({ prompt_tokens: 0, completion_tokens: 0 })).toBe('plausible')
    const negativeZero = judgeUsage({ prompt_tokens: -0, completion_tokens: 0 }, bounds)
    expect(negativeZero).toMatchObject({ usage: { promptTokens: 0 } })
  })

  it('may reach its bounds exactly', () => {
    expect(verdictOf({ prompt_tokens: 1_000, completion_tokens: 200 })).toBe('plausible')
    const parts = { prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 4 }, reasoning_tokens: 5 }
    expect(verdictOf({ prompt_tokens: 10, completion_tokens: 5, ...parts })).toBe('plausible')
  })
})

describe('a report that is not there', () => {
  it.each([
    ['no usage', undefined],
    ['null', null],
    ['an empty object', {}],
    ['no count of the prompt', { completion_tokens: 3 }],
    ['null for the completion', { prompt_tokens: 3, completion_tokens: null }],
  ])('is missing: %s', (_, report) => {
    expect(verdictOf(report)).toBe('missing')
  })
})

describe('a report that cannot be true', () => {
  const good = { prompt_tokens: 10, completion_tokens: 10 }

  it.each([
    ['text instead of an object', 'many'],
    ['a list', [1, 2]],
    ['a negative prompt', { ...good, prompt_tokens: -1 }],
    ['a negative completion', { ...good, completion_tokens: -2_147_483_648 }],
    ['not a number', { ...good, completion_tokens: Number.NaN }],
    ['infinity', { ...good, prompt_tokens: Number.POSITIVE_INFINITY }],
    ['a fraction', { ...good, completion_tokens: 1.5 }],
    ['a number in quotes', { ...good, prompt_tokens: '12' }],
    ['a truth value', { ...good, prompt_tokens: true }],
    ['more than 2^53', { ...good, prompt_tokens: 2 ** 53 }],
    ['1e308', { ...good, completion_tokens: 1e308 }],
    ['more prompt tokens than the hold’s bound', { ...good, prompt_tokens: 1_001 }],
    ['more completion tokens than all choices may have', { ...good, completion_tokens: 201 }],
    ['more cached than prompt tokens', { ...good, prompt_tokens_details: { cached_tokens: 11 } }],
    [
      'cached and written together above the prompt',
      { ...good, cache_read_input_tokens: 6, cache_creation_input_tokens: 5 },
    ],
    ['more reasoning than completion tokens', { ...good, completion_tokens_details: { reasoning_tokens: 11 } }],
    ['details that are no object', { ...good, prompt_tokens_details: 'cached' }],
    ['a negative part', { ...good, prompt_tokens_details: { cached_tokens: -1 } }],
  ])('is implausible as a whole: %s', (_, report) => {
    expect(verdictOf(report)).toBe('implausible')
  })

  it('never gets past as anything but whole, bounded counts, whatever JSON says', () => {
    const count = fc.oneof(fc.integer({ min: -5, max: 1_200 }), fc.jsonValue(), fc.double())
    const report = fc.record(
      {
        prompt_tokens: count,
        completion_tokens: count,
        prompt_tokens_details: fc.oneof(fc.record({ cached_tokens: count, cache_write_tokens: count }), count),
        completion_tokens_details: fc.oneof(fc.record({ reasoning_tokens: count }), count),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(report, any => {
        const judged = judgeUsage(any as JsonValue, bounds)
        if (judged.verdict !== 'plausible') return
        const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = judged.usage
        for (const value of Object.values(judged.usage)) expect(Number.isSafeInteger(value) && value >= 0).toBe(true)
        expect(promptTokens).toBeLessThanOrEqual(1_000)
        expect(completionTokens).toBeLessThanOrEqual(200)
        expect(cachedTokens + cacheWriteTokens).toBeLessThanOrEqual(promptTokens)
        expect(reasoningTokens).toBeLessThanOrEqual(completionTokens)
      }),
      { numRuns: 2_000 },
    )
  })
})
