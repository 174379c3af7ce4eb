import { expect, it } from 'vitest'
import type { CompletionFacts } from '../../domain/usage/completion-observer.ts'
import { createPrometheusMetrics } from './prometheus-metrics.ts'

const facts: CompletionFacts = {
  requestId: 'req_1',
  completionId: 'chatcmpl-1',
  surface: 'v1',
  model: 'm',
  engineModel: 'e',
  node: 'a',
  accountId: 'acc_secret',
  keyId: 'key_secret',
  stream: true,
  status: 200,
  outcome: 'done',
  finishReason: 'stop',
  usage: { promptTokens: 10, completionTokens: 5, cachedTokens: 2, cacheWriteTokens: 0, reasoningTokens: 1 },
  usageSource: 'engine',
  charge: { lines: [], totalNano: 1_500_000_000n },
  attempts: [
    { node: 'b', status: 503, ms: 1 },
    { node: 'a', status: 200, ms: 1 },
  ],
  startedAtMs: 1,
  firstByteMs: 7,
  totalMs: 400,
  chunkGapMs: 2,
}

async function linesOf(completed: readonly CompletionFacts[]): Promise<readonly string[]> {
  const view = {
    id: 'a',
    kind: 'openai',
    baseUrl: '',
    state: 'ejected',
    inFlight: 3,
    queued: 1,
    lastError: null,
  } as const
  const metrics = createPrometheusMetrics(() => [view])
  for (const change of [1, 1, -1] as const) metrics.holding('m', change)
  for (const each of completed) metrics.completed(each)
  metrics.refused(null, 'invalid_api_key')
  // Scraping twice shows the same: what is shown is derived, not moved.
  await metrics.page()
  return (await metrics.page()).text.split('\n')
}

it('counts outcomes, tokens, cost, estimates and failed attempts per model and node', async () => {
  const lines = await linesOf([facts, { ...facts, outcome: 'client_abort', usageSource: 'estimated', charge: null }])
  expect(lines).toEqual(
    expect.arrayContaining([
      'rialto_completions_total{model="m",node="a",outcome="done"} 1',
      'rialto_completions_total{model="m",node="a",outcome="client_abort"} 1',
      'rialto_tokens_total{model="m",node="a",kind="prompt"} 20',
      'rialto_tokens_total{model="m",node="a",kind="cached"} 4',
      'rialto_cost_usd_total{model="m",node="a"} 1.5',
      'rialto_usage_estimated_total{model="m",node="a"} 1',
      'rialto_failed_attempts_total{model="m",node="b"} 2',
      'rialto_refusals_total{code="invalid_api_key"} 1',
      'rialto_node_state{node="a",state="ejected"} 1',
      'rialto_node_state{node="a",state="healthy"} 0',
      'rialto_node_in_flight{node="a"} 3',
      'rialto_holds_open{model="m"} 1',
    ]),
  )
})

it('shows histograms whose buckets hold everything up to their bound', async () => {
  const lines = await linesOf([facts, { ...facts, totalMs: 700_000 }])
  expect(lines).toEqual(
    expect.arrayContaining([
      'rialto_completion_seconds_bucket{model="m",node="a",le="0.25"} 0',
      'rialto_completion_seconds_bucket{model="m",node="a",le="0.5"} 1',
      'rialto_completion_seconds_bucket{model="m",node="a",le="300"} 1',
      'rialto_completion_seconds_bucket{model="m",node="a",le="+Inf"} 2',
      'rialto_completion_seconds_sum{model="m",node="a"} 700.4',
      'rialto_completion_seconds_count{model="m",node="a"} 2',
      'rialto_time_to_first_token_seconds_bucket{model="m",node="a",le="0.01"} 2',
    ]),
  )
})

it('names no account and no key', async () => {
  expect((await linesOf([facts])).join('\n')).not.toContain('secret')
})
