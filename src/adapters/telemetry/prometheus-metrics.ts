import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { NodeView } from '../../domain/engines/types.ts'
import type { SearchObserver } from '../../domain/search/search-observer.ts'
import type { CompletionObserver } from '../../domain/usage/completion-observer.ts'
import { type Buckets, CompletionSeries, gapBuckets, type Series, secondsBuckets } from './completion-series.ts'
import { registerSearchMetrics } from './search-metrics.ts'

const nodeStates = ['healthy', 'failing', 'ejected', 'probing', 'draining'] as const

/** Figures in Prometheus' text format. */
export interface MetricsPage {
  readonly contentType: string
  readonly text: string
}

/** The same as plain values, which another process can add to its own. */
export type MetricsFigures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export interface PrometheusMetrics extends CompletionObserver {
  readonly search: SearchObserver
  page(): Promise<MetricsPage>
  figures(): Promise<MetricsFigures>
}

/**
 * Figures for Prometheus, per model and node (operator.md §5). No key and no account is a label, and no model that a
 * caller makes up becomes one: the number of series is bounded by the catalogue and the nodes.
 */
export function createPrometheusMetrics(nodes: () => readonly NodeView[]): PrometheusMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'rialto_' })
  const series = new CompletionSeries()
  registerCounters(registry, series)
  registerHistograms(registry, series)
  registerNodeGauges(registry, nodes)
  const holds = new Map<string, number>()
  registerHoldsGauge(registry, holds)
  const refusals = new Counter({
    name: 'rialto_refusals_total',
    help: 'Completions answered with an error before their first byte, by error code.',
    labelNames: ['code'],
    registers: [registry],
  })
  return {
    search: registerSearchMetrics(registry),
    holding: (model, change) => holds.set(model, (holds.get(model) ?? 0) + change),
    completed: facts => series.add(facts),
    refused: (_model, code) => refusals.inc({ code }),
    page: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    figures: () => registry.getMetricsAsJSON(),
  }
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]

interface CounterShape {
  readonly name: string
  readonly help: string
  readonly label?: string
  readonly read: (series: Series) => readonly Sample[]
}

const counters: readonly CounterShape[] = [
  {
    name: 'rialto_completions_total',
    help: 'Admitted completions by outcome.',
    label: 'outcome',
    read: ({ outcomes }) => [...outcomes].map(([outcome, count]) => [{ outcome }, count]),
  },
  {
    name: 'rialto_tokens_total',
    help: 'Tokens by kind.',
    label: 'kind',
    read: ({ tokens }) => Object.entries(tokens).map(([kind, count]) => [{ kind }, count]),
  },
  {
    name: 'rialto_cost_usd_total',
    help: 'What was charged, in USD.',
    // Prometheus counts in floating point; the ledger stays the one exact figure.
    read: ({ costNano }) => [[{}, Number(costNano) / 1e9]],
  },
  {
    name: 'rialto_usage_estimated_total',
    help: 'Answers whose usage had to be estimated.',
    read: ({ estimated }) => [[{}, estimated]],
  },
  {
    name: 'rialto_failed_attempts_total',
    help: 'Attempts on a node that another one had to make good.',
    read: ({ failedAttempts }) => [[{}, failedAttempts]],
  },
]

function registerCounters(registry: Registry, all: CompletionSeries): void {
  for (const { name, help, label, read } of counters) {
    const labelNames = ['model', 'node', ...(label === undefined ? [] : [label])]
    new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset()
        for (const series of all.all()) {
          for (const [labels, value] of read(series)) this.inc({ ...series.labels, ...labels }, value)
        }
      },
    })
  }
}

function registerHistograms(registry: Registry, all: CompletionSeries): void {
  const shapes = [
    ['rialto_time_to_first_token_seconds', 'From request to the first token.', secondsBuckets, 'firstToken'],
    ['rialto_inter_token_gap_seconds', 'Mean gap between the chunks of a stream.', gapBuckets, 'gap'],
    ['rialto_completion_seconds', 'From request to the end of the answer.', secondsBuckets, 'total'],
  ] as const
  for (const [name, help, buckets, part] of shapes) {
    registry.registerMetric(new SeriesHistogram({ name, help, buckets: [...buckets] }, all, part))
  }
}

/** A histogram whose figures were added up elsewhere; only what is shown comes from here. */
class SeriesHistogram extends Histogram<string> {
  private readonly all: CompletionSeries
  private readonly part: 'firstToken' | 'gap' | 'total'
  private readonly shown: { readonly name: string; readonly help: string }

  constructor(
    shape: { name: string; help: string; buckets: number[] },
    all: CompletionSeries,
    part: SeriesHistogram['part'],
  ) {
    super({ ...shape, labelNames: ['model', 'node'], registers: [] })
    this.all = all
    this.part = part
    this.shown = shape
  }

  /** What the registry renders; the library's own `get` is made from it as well. */
  async getForPromString() {
    const { name, help } = this.shown
    const values = [...this.all.all()].flatMap(series => renderBuckets(name, series.labels, series[this.part]))
    return { name, help, type: 'histogram', values, aggregator: 'sum' }
  }
}

function renderBuckets(name: string, labels: Series['labels'], { bounds, counts, sum, count }: Buckets) {
  // The library puts shared labels to a bucket's own when it gives out figures instead of text.
  const sharedLabels = {}
  let below = 0
  const buckets = bounds.map((bound, index) => {
    below += counts[index] ?? 0
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bound }, value: below, sharedLabels }
  })
  return [
    ...buckets,
    { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count, sharedLabels },
    { metricName: `${name}_sum`, labels, value: sum, sharedLabels },
    { metricName: `${name}_count`, labels, value: count, sharedLabels },
  ]
}

function registerHoldsGauge(registry: Registry, holds: ReadonlyMap<string, number>): void {
  new Gauge({
    name: 'rialto_holds_open',
    help: 'Completions between admission and settlement, each with its hold.',
    labelNames: ['model'],
    registers: [registry],
    collect() {
      for (const [model, count] of holds) this.set({ model }, count)
    },
  })
}

function registerNodeGauges(registry: Registry, nodes: () => readonly NodeView[]): void {
  const shapes = [
    ['rialto_node_in_flight', 'Requests that a node works on.', (view: NodeView) => view.inFlight],
    ['rialto_node_queued', 'Requests that wait for a node.', (view: NodeView) => view.queued],
  ] as const
  for (const [name, help, read] of shapes) {
    new Gauge({
      name,
      help,
      labelNames: ['node'],
      registers: [registry],
      collect() {
        this.reset()
        for (const view of nodes()) this.set({ node: view.id }, read(view))
      },
    })
  }
  new Gauge({
    name: 'rialto_node_state',
    help: 'State of a node: 1 for the state that it is in.',
    labelNames: ['node', 'state'],
    // Workers may see a node differently; what one of them sees must not be lost among the others.
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.reset()
      for (const view of nodes()) {
        for (const state of nodeStates) this.set({ node: view.id, state }, view.state === state ? 1 : 0)
      }
    },
  })
}
