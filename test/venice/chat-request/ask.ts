import { expect } from 'vitest'
import type { Gateway, HttpAnswer } from '../../support/gateway/index.ts'

const chatPath = '/api/v1/chat/completions'

/** Sends a body; an object gets a model and a message where it names none. */
export function ask(gateway: Gateway, body: object | string): Promise<HttpAnswer> {
  const text = typeof body === 'string' ? body : JSON.stringify(completed(body))
  return gateway.client.send(chatPath, { method: 'POST', body: text })
}

function completed(body: object): object {
  return { model: 'test/model', messages: [{ role: 'user', content: 'Hello' }], ...body }
}

/** The one body that reached an engine. */
export async function forwarded(gateway: Gateway, body: object) {
  const answer = await ask(gateway, body)
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  expect(gateway.engine().requests).toHaveLength(1)
  return { answer, engineBody: gateway.engine().requests[0]?.body ?? {} }
}

export interface Refusal {
  readonly error: string
  readonly issues: readonly Readonly<Record<string, unknown>>[]
  readonly details: unknown
}

/** A 400 of this surface that touched neither an engine nor the caller's money (venice.md §4.1). */
export async function refused(gateway: Gateway, body: object | string): Promise<Refusal> {
  const before = await gateway.client.credits()
  const answer = await ask(gateway, body)
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('"issues"')])
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.headers['x-request-id']).toMatch(/\S/)
  expect(gateway.engine().requests).toHaveLength(0)
  expect(await gateway.client.credits()).toEqual(before)
  return JSON.parse(answer.text) as Refusal
}
