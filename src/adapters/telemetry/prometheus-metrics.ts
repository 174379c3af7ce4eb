import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { NodeView } from '../../domain/engines/types.ts'
import type { CompletionFacts, CompletionObserver } from '../../domain/usage/completion-observer.ts'

const nodeStates = ['healthy', 'ejected', 'probing', 'draining'] as const
const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const gapBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]

/** No model that a caller makes up becomes a label: the number of series is bounded by the catalogue and the nodes. */
const unknownModel = 'none'

export interface PrometheusMetrics extends CompletionObserver {
  page(): Promise<{ readonly contentType: string; readonly text: string }>
}

/** Figures for Prometheus, per model and node. No key and no account is a label (operator.md §5). */
export function createPrometheusMetrics(nodes: () => readonly NodeView[]): PrometheusMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'rialto_' })
  const completions = createCompletionMetrics(registry)
  registerNodeGauges(registry, nodes)
  const refusals = new Counter({
    name: 'rialto_refusals_total',
    help: 'Requests refused before an engine was asked, by error code.',
    labelNames: ['code'],
    registers: [registry],
  })
  return {
    completed: completions,
    refused: (_model, code) => refusals.inc({ code }),
    page: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

function createCompletionMetrics(registry: Registry): (facts: CompletionFacts) => void {
  const registers = [registry]
  const labels = ['model', 'node'] as const
  const requests = new Counter({
    name: 'rialto_completions_total',
    help: 'Admitted completions by outcome.',
    labelNames: [...labels, 'outcome'],
    registers,
  })
  const tokens = new Counter({
    name: 'rialto_tokens_total',
    help: 'Tokens by kind.',
    labelNames: [...labels, 'kind'],
    registers,
  })
  const cost = new Counter({
    name: 'rialto_cost_usd_total',
    help: 'What was charged, in USD.',
    labelNames: labels,
    registers,
  })
  const estimates = new Counter({
    name: 'rialto_usage_estimated_total',
    help: 'Answers whose usage had to be estimated.',
    labelNames: labels,
    registers,
  })
  const failovers = new Counter({
    name: 'rialto_failed_attempts_total',
    help: 'Attempts on a node that another one had to make good.',
    labelNames: labels,
    registers,
  })
  const first = new Histogram({
    name: 'rialto_time_to_first_token_seconds',
    help: 'From request to the first token.',
    labelNames: labels,
    buckets: secondsBuckets,
    registers,
  })
  const gap = new Histogram({
    name: 'rialto_inter_token_gap_seconds',
    help: 'Mean gap between the chunks of a stream.',
    labelNames: labels,
    buckets: gapBuckets,
    registers,
  })
  const total = new Histogram({
    name: 'rialto_completion_seconds',
    help: 'From request to the end of the answer.',
    labelNames: labels,
    buckets: secondsBuckets,
    registers,
  })
  return facts => {
    const of = { model: facts.model, node: facts.node ?? unknownModel }
    requests.inc({ ...of, outcome: facts.outcome })
    tokens.inc({ ...of, kind: 'prompt' }, facts.usage.promptTokens)
    tokens.inc({ ...of, kind: 'completion' }, facts.usage.completionTokens)
    tokens.inc({ ...of, kind: 'cached' }, facts.usage.cachedTokens)
    tokens.inc({ ...of, kind: 'reasoning' }, facts.usage.reasoningTokens)
    if (facts.charge !== null) cost.inc(of, nanoToUsd(facts.charge.totalNano))
    if (facts.usageSource === 'estimated') estimates.inc(of)
    for (const attempt of facts.attempts)
      if (attempt.node !== facts.node) failovers.inc({ model: facts.model, node: attempt.node })
    if (facts.firstByteMs !== null) first.observe(of, facts.firstByteMs / 1_000)
    if (facts.chunkGapMs !== null) gap.observe(of, facts.chunkGapMs / 1_000)
    total.observe(of, facts.totalMs / 1_000)
  }
}

function registerNodeGauges(registry: Registry, nodes: () => readonly NodeView[]): void {
  const registers = [registry]
  const inFlight = new Gauge({
    name: 'rialto_node_in_flight',
    help: 'Requests that a node works on.',
    labelNames: ['node'],
    registers,
    collect: () => forEach(view => inFlight.set({ node: view.id }, view.inFlight)),
  })
  const queued = new Gauge({
    name: 'rialto_node_queued',
    help: 'Requests that wait for a node.',
    labelNames: ['node'],
    registers,
    collect: () => forEach(view => queued.set({ node: view.id }, view.queued)),
  })
  const state = new Gauge({
    name: 'rialto_node_state',
    help: 'State of a node: 1 for the state that it is in.',
    labelNames: ['node', 'state'],
    registers,
    collect: () =>
      forEach(view => {
        for (const name of nodeStates) state.set({ node: view.id, state: name }, view.state === name ? 1 : 0)
      }),
  })
  const forEach = (set: (view: NodeView) => void) => {
    for (const view of nodes()) set(view)
  }
}

/** Prometheus counts in floating point; the ledger stays the one exact figure. */
function nanoToUsd(nano: bigint): number {
  return Number(nano) / 1e9
}
