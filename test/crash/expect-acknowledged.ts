import { expect } from 'vitest'
import { estimatedTokens, type Gateway, nanoOf, priceOf } from '../support/gateway/index.ts'
import type { Acknowledged } from './load.ts'

/** What the engine says of the prompt, unless it is told otherwise. */
const promptTokensReported = 16

/** Whatever callers were told is in the books of the next start, and nothing is left open. `text` is what the engine says. */
export async function expectAcknowledged(
  gateway: Gateway,
  { costs, begun, replays }: Acknowledged,
  text: readonly string[],
): Promise<void> {
  const maxNano = dearestNano(gateway.client.prompt, text)
  for (const [id, cost] of costs) {
    const generation = await gateway.client.generation(id)
    expect([id, generation?.outcome, generation?.total_cost]).toEqual([id, 'done', cost])
    expect(generation?.settled).toBe(cost)
  }
  for (const id of begun) {
    const generation = await gateway.client.generation(id)
    expect([id, generation?.outcome]).toEqual([id, expect.stringMatching(/^(done|client_abort|crashed_recovered)$/)])
    expect(generation?.settled).toBe(generation?.total_cost)
    expect(nanoOf(generation?.total_cost ?? -1)).toBeLessThanOrEqual(maxNano)
  }
  const engineCalls = gateway.engine().requests.length
  for (const [key, body] of replays) {
    const again = await gateway.client.chat({}, { headers: { 'idempotency-key': key } })
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, body, 'true'])
  }
  expect(gateway.engine().requests).toHaveLength(engineCalls)
}

/**
 * What an answer costs at most that was reported, estimated, or partly counted: a caller who left, or a process that died,
 * before the engine's report pays the estimate of the prompt, and for each piece of text or each four characters a token.
 */
function dearestNano(prompt: string, text: readonly string[]): bigint {
  return priceOf({
    prompt: Math.max(promptTokensReported, estimatedTokens(prompt)),
    completion: Math.max(text.length, estimatedTokens(text.join(''))),
  })
}
