import { expect, it } from 'vitest'
import { eventsNamed, type Gateway, type Generation, priceOf } from '../../support/gateway/index.ts'
import { stretched } from '../../support/lapse.ts'
import { answer } from '../../support/mock-engine/index.ts'
import { waitFor } from '../../support/wait-for.ts'
import type { Client } from '../client.ts'
import { accessTo, question } from '../clients-gateway.ts'
import { failureOf, replyOf } from './outcomes.ts'
import type { ContractOptions } from './traits.ts'

const leaveWithinMs = 1_000

export function describeLeaving(client: Client, { gateway, traits, surface }: ContractOptions): void {
  it('stops the engine when it leaves a stream, and pays for what was generated', async () => {
    gateway.engine().next(answer({ chunks: 900, everyMs: 20 }))
    const before = await gateway.client.credits()
    const ended = endedCompletions(gateway).length
    const { pieces } = replyOf(
      await client.leaveStream(accessTo(gateway, 'main', surface), { ...question, afterPieces: 4 }),
    )
    expect(pieces.map(({ text }) => text)).toEqual(['w0', ' w1', ' w2', ' w3'])
    const generated = await tokensWhenLeft(gateway)
    expect(generated).toBeLessThan(200)
    const record = await recordAfter(gateway, ended)
    expect(record).toMatchObject({ streamed: true, outcome: 'client_abort', usage_source: 'estimated' })
    expect(record.tokens_completion).toBeGreaterThanOrEqual(4)
    expect(record.tokens_completion).toBeLessThanOrEqual(generated)
    const charged = (await gateway.client.credits()).usedNano - before.usedNano
    expect(charged).toBe(priceOf({ prompt: record.tokens_prompt, completion: record.tokens_completion }))
  })

  it('stops the engine when it waits no longer for a whole answer', async () => {
    gateway.engine().next(answer({ chunks: 900, everyMs: 20 }))
    const stopped = await client.stopWaiting(accessTo(gateway, 'main', surface), {
      ...question,
      retries: 0,
      afterMs: 400,
    })
    expect(failureOf(stopped)).toMatchObject({ className: traits.failures.stoppedWaiting, status: null })
    expect(await tokensWhenLeft(gateway)).toBeLessThan(200)
    expect(gateway.engine().requests).toHaveLength(1)
  })
}

/** What the engine had generated when the gateway closed its connection. */
async function tokensWhenLeft(gateway: Gateway): Promise<number> {
  const request = gateway.engine().requests.at(-1)
  await waitFor('the engine to be left', () => request?.closedByPeerAt, { withinMs: stretched(leaveWithinMs) })
  return request?.tokensGenerated ?? Number.POSITIVE_INFINITY
}

function endedCompletions(gateway: Gateway): readonly string[] {
  return eventsNamed(gateway.process.output, 'completion.ended').map(({ completionId }) => String(completionId))
}

/** What the gateway recorded of the completion that ended after so many others: not every client shows its id. */
async function recordAfter(gateway: Gateway, ended: number): Promise<Generation> {
  const id = await waitFor('the end of the completion', () => endedCompletions(gateway)[ended])
  return waitFor('its record', () => gateway.client.generation(id))
}
