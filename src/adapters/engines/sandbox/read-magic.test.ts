import { describe, expect, it } from 'vitest'
import { RequestRefused } from '../request-refused.ts'
import { readMagic } from './read-magic.ts'

function refusal(text: string): RequestRefused {
  try {
    readMagic(text)
  } catch (error) {
    if (error instanceof RequestRefused) return error
    throw error
  }
  throw new Error('it was taken')
}

describe('magic inputs', () => {
  it('are found anywhere in the text, several of them, and taken out of it', () => {
    const { magic, rest } = readMagic(
      'Say hello sandbox:slow=50ms, then stop (sandbox:status=429 sandbox:retry-after=7).',
    )
    expect(magic).toEqual({ slow: 50, status: 429, 'retry-after': 7 })
    expect(rest).toBe('Say hello , then stop ( ).')
  })

  it('know switches, counts, times, words and names', () => {
    expect(readMagic('sandbox:echo').magic).toEqual({ echo: true })
    expect(readMagic('sandbox:reset-after=0').magic).toEqual({ 'reset-after': 0 })
    expect(readMagic('sandbox:first-token=1.5s').magic).toEqual({ 'first-token': 1_500 })
    expect(readMagic('sandbox:usage=shrinking').magic).toEqual({ usage: 'shrinking' })
    expect(readMagic('sandbox:tool=get_weather-2').magic).toEqual({ tool: 'get_weather-2' })
  })

  it('are not found within words and paths, such as the id of the model', () => {
    for (const text of ['rialto/sandbox:online', 'mysandbox:echo', 'sandbox: echo', 'a sandbox', 'http://sandbox:8080'])
      expect(readMagic(text)).toEqual({ magic: {}, rest: text })
  })

  it.each([
    ['status=399'],
    ['status=600'],
    ['status=4e2'],
    ['status='],
    ['status'],
    ['slow=61s'],
    ['slow=50'],
    ['slow=-1s'],
    ['tokens=100001'],
    ['tokens=1.5'],
    ['usage=none'],
    ['echo=yes'],
    ['tool=a.b'],
    ['parallel-tools=0'],
    ['large=250001'],
  ])('are refused when the value is wrong: %s', input => {
    expect(refusal(`sandbox:${input}`)).toMatchObject({ code: 'invalid_magic_input', param: 'messages' })
  })

  it('are refused when they are unknown, with what was probably meant', () => {
    expect(refusal('sandbox:reset-aftr=3')).toMatchObject({ code: 'unknown_magic_input' })
    expect(refusal('sandbox:reset-aftr=3').message).toContain('did you mean `reset-after`?')
    expect(refusal('sandbox:toString').message).toContain('there are refuse-connection, reset,')
    expect(refusal('sandbox:__proto__=1').code).toBe('unknown_magic_input')
  })

  it('are refused when one is there twice, or only makes sense beside another', () => {
    expect(refusal('sandbox:echo sandbox:echo').message).toContain('twice')
    expect(refusal('sandbox:retry-after=3').message).toContain('needs a `status`')
  })

  it('are told of in words that the renaming of models leaves alone', () => {
    for (const text of ['sandbox:nothing', 'sandbox:status=1', 'sandbox:echo=1'])
      expect(refusal(text).message).not.toMatch(/sandbox/)
  })
})
