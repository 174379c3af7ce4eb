import { expect } from 'vitest'
import {
  chunksOf,
  estimatedTokens,
  type Gateway,
  type Generation,
  nanoOf,
  priceOf,
} from '../../support/gateway/index.ts'
import { type AnswerLike, askCell, deliveredText, lastUsage } from './ask-cell.ts'
import { type Cell, healthyText, healthyTokens } from './describe-faults.ts'
import type { Expectation, TokenCounts } from './expectation.ts'

/** Draws of the weighted order until the faulty node comes first: one suffices but once in a thousand. */
const drawsMax = 6

/** Runs one cell and compares it with the contract. Resolves with what each of its requests was charged. */
export async function judgeCell(gateway: Gateway, cell: Cell): Promise<bigint[]> {
  const charges: bigint[] = []
  for (let draw = 1; draw <= drawsMax; draw += 1) {
    const answer = await askCell(gateway, cell)
    const generation = await gateway.client.generation(String(answer.headers['x-generation-id']))
    if (generation === null) throw new Error(`${cell.model}: no generation behind ${answer.status} ${answer.text}`)
    charges.push(nanoOf(generation.total_cost))
    if (generation.attempts[0]?.node !== cell.node) continue
    judge(gateway, cell, { answer, generation })
    return charges
  }
  throw new Error(`the faulty node was never asked first in ${drawsMax} draws`)
}

interface Outcome {
  readonly answer: AnswerLike
  readonly generation: Generation
}

function judge(gateway: Gateway, cell: Cell, outcome: Outcome): void {
  const { expectation } = cell
  if (expectation.kind === 'fine') judgeFine(gateway, cell, { ...outcome, expectation, attempts: 1 })
  else if (expectation.kind === 'rejected') judgeRejected(outcome, expectation)
  else if (expectation.kind === 'midway' || isBrokenMidway(expectation, outcome)) judgeMidway(outcome)
  else if (cell.secondNode) judgeFailover(gateway, cell, outcome)
  else judgeFault(outcome, expectation.kind === 'fault' ? expectation : { status: 502, code: 'upstream_error' })
}

function isBrokenMidway(expectation: Expectation, { answer }: Outcome): boolean {
  return expectation.kind === 'broken' && answer.status === 200 && deliveredText(answer) !== healthyText
}

function judgeFailover(gateway: Gateway, cell: Cell, outcome: Outcome): void {
  const expectation = { kind: 'fine', text: healthyText, usage: healthyTokens } as const
  judgeFine(gateway, cell, { ...outcome, expectation, attempts: 2 })
}

function judgeFine(
  gateway: Gateway,
  cell: Cell,
  {
    answer,
    generation,
    expectation,
    attempts,
  }: Outcome & { expectation: Extract<Expectation, { kind: 'fine' }>; attempts: number },
): void {
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
  const text = deliveredText(answer)
  if (typeof expectation.text === 'string') expect(text).toBe(expectation.text)
  else expect(text).toMatch(expectation.text)
  const isEstimate = expectation.usage === 'estimated'
  const counts: TokenCounts =
    expectation.usage === 'estimated'
      ? { prompt: estimatedTokens(gateway.client.prompt), completion: estimatedTokens(text) }
      : expectation.usage
  const cost = priceOf(counts)
  expect(generation).toMatchObject({
    outcome: 'done',
    model: cell.model,
    streamed: cell.stream,
    tokens_prompt: counts.prompt,
    tokens_completion: counts.completion,
    usage_source: isEstimate ? 'estimated' : 'engine',
  })
  expect(generation.attempts).toHaveLength(attempts)
  expect(nanoOf(generation.total_cost)).toBe(cost)
  const { usage, isMarkedAsEstimate } = lastUsage(answer)
  expect(nanoOf(usage?.cost ?? -1)).toBe(cost)
  expect(isMarkedAsEstimate).toBe(isEstimate)
}

function judgeFault({ answer, generation }: Outcome, { status, code }: { status: number; code: string }): void {
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(`"code":"${code}"`)])
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  judgeUncharged(generation, 'upstream_fail')
}

function judgeMidway({ answer, generation }: Outcome): void {
  expect(answer.status).toBe(200)
  const { reading } = answer
  if (reading === null) throw new Error('a whole answer cannot fail midway')
  expect(reading.end).toBe('complete')
  const error = chunksOf(reading).at(-1)?.error
  expect(error).toMatchObject({ type: 'server_error', code: expect.stringMatching(/^upstream_/) })
  expect(reading.events.at(-1)?.data).toBe('[DONE]')
  expect(generation.attempts).toHaveLength(1)
  judgeUncharged(generation, 'upstream_fail')
}

function judgeRejected(
  { answer, generation }: Outcome,
  { status, code, message }: Extract<Expectation, { kind: 'rejected' }>,
): void {
  expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(message ?? /"message":".+"/)])
  const { error } = JSON.parse(answer.text)
  expect(Object.keys(error)).toEqual(expect.arrayContaining(['message', 'type', 'param', 'code']))
  expect(error).toMatchObject({ type: 'invalid_request_error', code: code ?? expect.any(String) })
  expect(generation.attempts).toHaveLength(1)
  judgeUncharged(generation, 'refused')
}

function judgeUncharged(generation: Generation, outcome: string): void {
  expect(generation).toMatchObject({ outcome, total_cost: 0, settled: 0 })
}
