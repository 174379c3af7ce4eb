import { setTimeout as sleep } from 'node:timers/promises'
import { chunksOf, type Gateway } from '../support/gateway/index.ts'

/** What callers were told before the gateway died. */
export interface Acknowledged {
  /** Costs that callers have seen, by generation id: each must have its debit. */
  readonly costs: Map<string, number>
  /** Generations that callers know of: each was admitted, so that each must have a record. */
  readonly begun: Set<string>
  /** Whole answers that callers hold under an idempotency key: each must be replayed. */
  readonly replays: Map<string, string>
}

const callers = 6
const roundsMax = 400

/** Calls in every way at the same time until the gateway has died. Resolves with what the callers know. */
export async function loadUntilDeath(gateway: Gateway, name: string): Promise<Acknowledged> {
  const acknowledged: Acknowledged = { costs: new Map(), begun: new Set(), replays: new Map() }
  const run = gateway.process
  const kinds = [callWhole, callStream, callWithKey, leaveStream]
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let round = 0; round < roundsMax && run.exit === undefined; round += 1) {
        const kind = kinds[(caller + round) % kinds.length]
        // A call that breaks off is what the test is about.
        await kind?.(gateway, acknowledged, `${name}-${caller}-${round}`).catch(() => sleep(5))
      }
    }),
  )
  return acknowledged
}

async function callWhole(gateway: Gateway, { costs }: Acknowledged): Promise<void> {
  const { status, json } = await gateway.client.chat()
  if (status === 200) costs.set(json.id ?? '', json.usage?.cost ?? -1)
}

async function callWithKey(gateway: Gateway, { costs, replays }: Acknowledged, name: string): Promise<void> {
  const answered = await gateway.client.chat({}, { headers: { 'idempotency-key': name } })
  if (answered.status !== 200) return
  costs.set(answered.json.id ?? '', answered.json.usage?.cost ?? -1)
  replays.set(name, answered.text)
}

async function callStream(gateway: Gateway, { costs, begun }: Acknowledged): Promise<void> {
  const reading = await gateway.client.openStream()
  if (reading.status !== 200) return
  const id = String(reading.headers['x-generation-id'])
  begun.add(id)
  await reading.ended
  const cost = chunksOf(reading).at(-1)?.usage?.cost
  if (cost !== undefined) costs.set(id, cost)
}

async function leaveStream(gateway: Gateway, { begun }: Acknowledged): Promise<void> {
  const reading = await gateway.client.openStream()
  if (reading.status !== 200) return
  begun.add(String(reading.headers['x-generation-id']))
  await reading.receive(3)
  reading.abort()
}
