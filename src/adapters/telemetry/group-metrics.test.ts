import { expect, it } from 'vitest'
import type { CompletionFacts } from '../../domain/usage/completion-observer.ts'
import { createGroupMetrics } from './group-metrics.ts'
import { createPrometheusMetrics, type MetricsFigures } from './prometheus-metrics.ts'

const facts: CompletionFacts = {
  requestId: 'req_1',
  completionId: 'chatcmpl-1',
  surface: 'v1',
  model: 'm',
  engineModel: 'e',
  node: 'a',
  accountId: 'acc',
  keyId: 'key',
  stream: true,
  status: 200,
  outcome: 'done',
  finishReason: 'stop',
  usage: { promptTokens: 10, completionTokens: 5, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  usageSource: 'engine',
  charge: null,
  attempts: [{ node: 'a', status: 200, ms: 1 }],
  startedAtMs: 1,
  firstByteMs: 7,
  totalMs: 400,
  chunkGapMs: 2,
}

/** What a worker says that completed so many, and runs so many, and sees its node in this state. */
async function figuresOf(completed: number, running = 0, state: 'healthy' | 'ejected' = 'healthy') {
  const view = { id: 'a', kind: 'openai', baseUrl: '', state, inFlight: running, queued: 0, lastError: null } as const
  const metrics = createPrometheusMetrics(() => [view])
  for (let count = 0; count < completed; count += 1) metrics.completed(facts)
  return structuredClone(await metrics.figures()) as MetricsFigures
}

async function valuesOf(group: ReturnType<typeof createGroupMetrics>, series: string): Promise<number[]> {
  const { text } = await group.page()
  const lines = text.split('\n').filter(line => line.startsWith(`${series} `) || line.startsWith(`${series}{`))
  return lines.map(line => Number(line.slice(line.lastIndexOf(' ') + 1)))
}

it('adds up what workers counted and what they do', async () => {
  const group = createGroupMetrics()
  group.note('one', await figuresOf(3, 2))
  group.note('two', await figuresOf(4, 1))
  expect(await valuesOf(group, 'rialto_completions_total')).toEqual([7])
  expect(await valuesOf(group, 'rialto_completion_seconds_count')).toEqual([7])
  expect(await valuesOf(group, 'rialto_node_in_flight')).toEqual([3])
})

it('keeps the totals of a worker that is gone, and drops what it did', async () => {
  const group = createGroupMetrics()
  group.note('one', await figuresOf(3, 2))
  group.note('two', await figuresOf(4, 1))
  for (const name of ['one', 'three', 'four']) {
    group.forget(name)
    group.note(name, await figuresOf(1, 1))
  }
  expect(await valuesOf(group, 'rialto_completions_total')).toEqual([10])
  expect(await valuesOf(group, 'rialto_completion_seconds_bucket')).toContain(10)
  group.forget('two')
  group.forget('one')
  expect(await valuesOf(group, 'rialto_completions_total')).toEqual([10])
  expect(await valuesOf(group, 'rialto_node_in_flight')).toEqual([2])
})

it('shows each state of a node in which some worker sees it', async () => {
  const group = createGroupMetrics()
  group.note('one', await figuresOf(0, 0, 'ejected'))
  group.note('two', await figuresOf(0, 0, 'healthy'))
  const { text } = await group.page()
  expect(text).toContain('rialto_node_state{node="a",state="healthy"} 1')
  expect(text).toContain('rialto_node_state{node="a",state="ejected"} 1')
  expect(text).toContain('rialto_node_state{node="a",state="failing"} 0')
})
