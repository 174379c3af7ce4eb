import { expect, it } from 'vitest'
import { priceOf } from '../../support/gateway/index.ts'
import { answer, rateLimited, status } from '../../support/mock-engine/index.ts'
import type { Client } from '../client.ts'
import { accessTo, question } from '../clients-gateway.ts'
import { replyOf } from './outcomes.ts'
import type { ContractOptions } from './traits.ts'

export function describeRetries(client: Client, { gateway }: ContractOptions): void {
  for (const way of ['chat', 'stream'] as const) {
    const how = way === 'chat' ? 'whole' : 'in a stream'
    it(`waits as long as Retry-After says, and then succeeds, ${how}`, async () => {
      gateway.engine().next(rateLimited('one'), answer({ text: ['at last'] }))
      const started = performance.now()
      const reply = replyOf(await client[way](accessTo(gateway), question))
      expect(reply.text).toBe('at last')
      expect(performance.now() - started).toBeGreaterThan(950)
      expect(gateway.engine().requests).toHaveLength(2)
    })

    it(`asks again after a failure of the engine, ${how}`, async () => {
      gateway.engine().next(status(500), answer({ text: ['at last'] }))
      const before = await gateway.client.credits()
      const reply = replyOf(await client[way](accessTo(gateway), question))
      expect(reply.text).toBe('at last')
      expect(gateway.engine().requests).toHaveLength(2)
      const charged = (await gateway.client.credits()).usedNano - before.usedNano
      expect(charged).toBe(priceOf({ prompt: 16, completion: 1 }))
    })
  }
}
