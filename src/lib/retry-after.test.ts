import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { formatRetryAfter, parseRetryAfter } from './retry-after.ts'

const now = Date.UTC(2026, 10, 29, 12, 0, 0)

describe('parseRetryAfter', () => {
  it.each([
    ['3', 3_000],
    [' 3 ', 3_000],
    ['0', 1_000],
    ['1.5', 1_500],
    ['61', 60_000],
    ['99999999999999999999999999', 60_000],
    ['Sun, 29 Nov 2026 12:00:07 GMT', 7_000],
    ['Sunday, 29-Nov-26 12:00:07 GMT', 7_000],
    ['Sun Nov 29 12:00:07 2026', 7_000],
    ['Sun, 29 Nov 2026 11:00:00 GMT', 1_000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 60_000],
  ])('reads %j as %i ms', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected)
  })

  it.each([
    '-1',
    '+1',
    '1e3',
    '0x10',
    'Infinity',
    'NaN',
    'soon',
    '',
    ' ',
    '1, 2',
    '2026-11-29T12:00:07Z',
    'Sun, 99 Xyz 2026 12:00:07 GMT',
    '9'.repeat(65),
    null,
    undefined,
  ])('cannot read %j', value => {
    expect(parseRetryAfter(value, now)).toBeNull()
  })

  it('reads every date as GMT, wherever the server stands', () => {
    vi.stubEnv('TZ', 'America/New_York')
    expect(parseRetryAfter('Sun Nov 29 12:00:07 2026', now)).toBe(7_000)
    vi.unstubAllEnvs()
  })

  it('answers anything with null or a wait within the bounds', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), value => {
        const wait = parseRetryAfter(value, now)
        expect(wait === null || (wait >= 1_000 && wait <= 60_000)).toBe(true)
      }),
    )
  })
})

describe('formatRetryAfter', () => {
  it('gives whole seconds from 1 to 60, rounded up', () => {
    const waits = [-5, 0, 1_000, 1_001, 59_500, 60_000, 1e12, Number.POSITIVE_INFINITY]
    expect(waits.map(formatRetryAfter)).toEqual(['1', '1', '1', '2', '60', '60', '60', '60'])
  })

  it('is read back as a wait that is no shorter', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 60_000 }), wait => {
        expect(parseRetryAfter(formatRetryAfter(wait), now)).toBeGreaterThanOrEqual(wait)
      }),
    )
  })
})
