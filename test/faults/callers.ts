import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { chunksOf, type Gateway, nanoOf } from '../support/gateway/index.ts'

/** What callers saw while something was broken. */
export interface Seen {
  /** By the id of the completion: its cost in dollars, or null for an answer that left without one. */
  readonly answers: Map<string, number | null>
  /** Refusals, by code. */
  readonly refusals: Map<string, number>
  /** How long each refusal took, in milliseconds. */
  readonly refusalMs: number[]
}

export interface Callers {
  readonly seen: Seen
  /** Lets what runs come to its end. */
  stop(): Promise<Seen>
}

/** From one request of a caller to its next: a broken gateway refuses at once, and would be asked thousands of times. */
const pauseMs = 15

/**
 * Callers who ask, one request after the other, until they are stopped: every other one for a stream. Whatever is broken
 * behind the gateway, each request is either answered as it should be or refused because of the ledger.
 */
export function startCallers(gateway: Gateway, count: number): Callers {
  const seen: Seen = { answers: new Map(), refusals: new Map(), refusalMs: [] }
  let stopped = false
  async function call(index: number): Promise<void> {
    while (!stopped) {
      await (index % 2 === 0 ? stream(gateway, seen) : ask(gateway, seen))
      await sleep(pauseMs)
    }
  }
  const all = Promise.all(Array.from({ length: count }, (_, index) => call(index)))
  // Told to whoever stops them.
  all.catch(() => undefined)
  return {
    seen,
    async stop() {
      stopped = true
      await all
      return seen
    },
  }
}

async function ask({ client }: Gateway, seen: Seen): Promise<void> {
  const beganMs = performance.now()
  const { status, json, text, headers } = await client.chat()
  if (status === 200) seen.answers.set(json.id ?? '', json.usage?.cost ?? null)
  else noteRefusal(seen, { status, text, retryAfter: headers['retry-after'], tookMs: performance.now() - beganMs })
}

async function stream({ client }: Gateway, seen: Seen): Promise<void> {
  const beganMs = performance.now()
  const reading = await client.stream()
  if (reading.status !== 200) {
    const retryAfter = reading.headers['retry-after']
    noteRefusal(seen, { ...reading, retryAfter, tookMs: performance.now() - beganMs })
    return
  }
  expect([reading.end, reading.doneCount, reading.text]).toEqual([
    'complete',
    1,
    expect.not.stringContaining('"error"'),
  ])
  const last = chunksOf(reading).at(-1)
  seen.answers.set(last?.id ?? '', last?.usage?.cost ?? null)
}

interface Refusal {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | undefined
  readonly tookMs: number
}

function noteRefusal(seen: Seen, { status, text, retryAfter, tookMs }: Refusal): void {
  expect([status, text, retryAfter]).toEqual([
    503,
    expect.stringContaining('"code":"ledger_unavailable"'),
    expect.stringMatching(/^[1-9]\d?$/),
  ])
  seen.refusals.set('ledger_unavailable', (seen.refusals.get('ledger_unavailable') ?? 0) + 1)
  seen.refusalMs.push(tookMs)
}

/**
 * Every cost that a caller saw is the cost in the books, every answer was charged, and all debits together are the costs
 * of all calls: nothing is lost and nothing doubled. `usedBeforeNano` is what the account had used before the callers came.
 */
export async function expectExactBooks(gateway: Gateway, { answers }: Seen, usedBeforeNano: bigint): Promise<void> {
  let sumNano = 0n
  for (const [id, cost] of answers) {
    const generation = await gateway.client.generation(id)
    expect([id, generation?.outcome, generation?.settled]).toEqual([id, 'done', generation?.total_cost])
    if (cost !== null) expect([id, generation?.total_cost]).toEqual([id, cost])
    sumNano += nanoOf(generation?.total_cost ?? -1)
  }
  const { usedNano } = await gateway.client.credits()
  expect(usedNano - usedBeforeNano).toBe(sumNano)
}
