import { expect } from 'vitest'
import type { AnswerError } from './answer-json.ts'
import type { HttpAnswer } from './http-exchange.ts'

export interface ExpectedError {
  readonly status: number
  readonly code: string
  readonly param?: string | null
  readonly type?: string
}

/** Types by status (venym.md §5). */
const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
  500: 'server_error',
  502: 'server_error',
  503: 'server_error',
  504: 'server_error',
}

/** The one error shape, its headers, and which error it is (venym.md §5). Returns the error. */
export function expectError(
  answer: Pick<HttpAnswer, 'status' | 'headers' | 'text'>,
  { status, code, param, type = types[status] ?? 'invalid_request_error' }: ExpectedError,
): AnswerError {
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(`"code":"${code}"`)])
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  expect(answer.headers['x-request-id']).toMatch(/^[\w-]{8,}$/)
  const body = JSON.parse(answer.text) as { error: AnswerError }
  expect(Object.keys(body)).toEqual(['error'])
  expect(Object.keys(body.error)).toEqual(expect.arrayContaining(['message', 'type', 'param', 'code']))
  expect(body.error).toMatchObject({ type, code, message: expect.stringMatching(/\S/) })
  if (param !== undefined) expect(body.error.param).toBe(param)
  if (status === 429) expectRetryAfter(answer.headers['retry-after'])
  return body.error
}

function expectRetryAfter(header: string | undefined): void {
  expect(header).toMatch(/^\d+$/)
  expect(Number(header)).toBeGreaterThanOrEqual(1)
  expect(Number(header)).toBeLessThanOrEqual(60)
}
