import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import { EngineFault } from '../../domain/engines/types.ts'
import { readAnswerHead } from './answer-head.ts'

function read(headers: IncomingHttpHeaders, headerCount = 3) {
  return readAnswerHead({ status: 200, headers, headerCount, nowMs: Date.parse('Sun, 29 Nov 2026 12:00:00 GMT') })
}

describe('readAnswerHead', () => {
  it.each([
    ['text/event-stream', 'text/event-stream'],
    ['Application/JSON; charset=utf-8', 'application/json'],
    [' text/plain ;x', 'text/plain'],
    ['', ''],
  ])('takes the media type of %j', (header, expected) => {
    expect(read({ 'content-type': header }).contentType).toBe(expected)
  })

  it('takes the first of headers that came twice', () => {
    const twice = {
      'content-type': ['text/plain', 'text/html'],
      'retry-after': ['3', '9'],
    } as unknown as IncomingHttpHeaders
    expect(read(twice)).toMatchObject({ contentType: 'text/plain', retryAfterMs: 3_000 })
  })

  it('knows nothing where nothing is said, and nothing else', () => {
    const head = read({ 'set-cookie': ['a=1'], server: 'uvicorn', location: 'http://10.0.0.7/' })
    expect(head).toEqual({ status: 200, contentType: '', retryAfterMs: null })
  })

  it('reads Retry-After as seconds or as a date', () => {
    expect(read({ 'retry-after': '7' }).retryAfterMs).toBe(7_000)
    expect(read({ 'retry-after': 'Sun, 29 Nov 2026 12:00:05 GMT' }).retryAfterMs).toBe(5_000)
    expect(read({ 'retry-after': 'soon' }).retryAfterMs).toBeNull()
  })

  it('refuses every coding but identity', () => {
    expect(read({ 'content-encoding': 'identity' }).status).toBe(200)
    const twice = ['identity', 'gzip'] as unknown as string
    for (const coding of ['gzip', 'br', 'identity, gzip', 'GZIP ', twice]) {
      expect(() => read({ 'content-encoding': coding })).toThrow(EngineFault)
    }
  })

  it('refuses more than 100 headers', () => {
    expect(read({}, 100).status).toBe(200)
    expect(() => read({}, 101)).toThrow(EngineFault)
  })
})
