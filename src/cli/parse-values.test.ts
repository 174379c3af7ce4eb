import { describe, expect, it } from 'vitest'
import { UsageError } from './command-error.ts'
import { parseCount, parseEnd, parseMoment, parseNames, parsePort, parseUsdValue } from './parse-values.ts'

describe('dollars', () => {
  it.each([
    ['0', 0n],
    ['2.50', 2_500_000_000n],
    ['0.000000001', 1n],
    ['1000000000', 1_000_000_000_000_000_000n],
  ])('%s is read exactly', (text, nano) => {
    expect(parseUsdValue('AMOUNT', text)).toBe(nano)
  })

  it.each(['', '-1', '1e3', '0.0000000001', '1000000000.000000001', '1,5', '$1', 'NaN', '1 '])(
    '%j is refused with the name of the option',
    text => {
      expect(() => parseUsdValue('--credit', text)).toThrow(UsageError)
      expect(() => parseUsdValue('--credit', text)).toThrow(/^--credit must be dollars/)
    },
  )
})

describe('a moment', () => {
  it.each([
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-01-31T12:30', '2027-01-31T12:30:00.000Z'],
    ['2027-01-31T12:30:15.250Z', '2027-01-31T12:30:15.250Z'],
    ['2027-01-31T12:30:00+02:00', '2027-01-31T10:30:00.000Z'],
  ])('%s is %s', (text, time) => {
    expect(new Date(parseMoment('--from', text)).toISOString()).toBe(time)
  })

  it.each([
    '2027-02-29',
    '2027-13-01',
    '2027-1-1',
    'tomorrow',
    '2027-01-31T25:00',
    '2027-01-31 12:00',
    '1801526400',
    '',
  ])('%j is refused', text => {
    expect(() => parseMoment('--from', text)).toThrow(/--from must be a date .* or an ISO time/)
  })

  it('as an end is the end of a whole UTC day, or the exact time', () => {
    expect(new Date(parseEnd('--expires', '2027-01-31')).toISOString()).toBe('2027-02-01T00:00:00.000Z')
    expect(new Date(parseEnd('--expires', '2027-01-31T00:00Z')).toISOString()).toBe('2027-01-31T00:00:00.000Z')
  })
})

describe('whole numbers and names', () => {
  it.each(['0', '8402', '65535'])('%s is a port', text => {
    expect(parsePort('--port', text)).toBe(Number(text))
  })

  it.each(['-1', '65536', '80.5', '0x50', '', '99999999999'])('%j is no port', text => {
    expect(() => parsePort('--port', text)).toThrow('--port must be a whole number from 0 to 65535.')
  })

  it('keep to their range', () => {
    expect(() => parseCount('--limit', '0', { min: 1, max: 5 })).toThrow(UsageError)
    expect(parseCount('--limit', '5', { min: 1, max: 5 })).toBe(5)
  })

  it('are separated by commas, each counted once', () => {
    expect(parseNames('--models', 'a/b, c,a/b')).toEqual(['a/b', 'c'])
    expect(() => parseNames('--models', 'a,,b')).toThrow(UsageError)
  })
})
