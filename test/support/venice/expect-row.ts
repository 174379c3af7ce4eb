import { expect } from 'vitest'
import type { AdminAnswer } from './admin-client.ts'

/** One row of venice.md §4: what a client gets to see of a failure. */
export interface ErrorRow {
  readonly status: number
  /** The whole body. */
  readonly body: unknown
  /** What the error budget shows as left; null where it was not looked at (venice.md §5.4). */
  readonly left: number | null
  /** Seconds, or a pattern of them; absent where there is nothing to wait for. */
  readonly retryAfter?: string | RegExp
  /** Further headers. */
  readonly headers?: Readonly<Record<string, unknown>>
}

/** Status, body and headers are the row's, and so are the headers that are not there. */
export function expectRow(answer: AdminAnswer, row: ErrorRow): void {
  const { status, body, headers } = answer
  expect([status, body]).toEqual([row.status, row.body])
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': expect.stringContaining('no-store'),
    'x-request-id': expect.stringMatching(/^req_[0-9a-f]{24}$/),
    'x-venice-host-name': 'rialto',
    ...row.headers,
  })
  expect(headers['x-ratelimit-remaining']).toBe(row.left === null ? undefined : String(row.left))
  expect(Number(headers['x-ratelimit-resets'] ?? 0) > Date.now()).toBe(row.left !== null)
  expect(headers['retry-after'] ?? 'no wait').toMatch(row.retryAfter ?? 'no wait')
  expect('payment-required' in headers).toBe('payment-required' in (row.headers ?? {}))
}

/** The shape of a 400 that names one problem: once in a list, once in a tree like the body. */
export function detailed(error: string, path: readonly (string | number)[], issue: { readonly message: string }) {
  const tree = path.reduceRight<object>(
    (inner, step, at) => ({ _errors: [], [step]: at === path.length - 1 ? { _errors: [issue.message] } : inner }),
    {
      _errors: [],
    },
  )
  return { error, details: path.length === 0 ? { _errors: [issue.message] } : tree, issues: [{ ...issue, path }] }
}
