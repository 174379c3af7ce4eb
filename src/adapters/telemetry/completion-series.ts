import type { CompletionFacts } from '../../domain/usage/completion-observer.ts'

/** Upper bounds of a histogram's buckets, in seconds. */
export const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const
export const gapBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1] as const

/** A histogram in plain numbers: `counts[i]` observations were at most `bounds[i]` and above the bound before. */
export interface Buckets {
  readonly bounds: readonly number[]
  readonly counts: number[]
  sum: number
  count: number
}

/** Everything that is counted for one model on one node. */
export interface Series {
  readonly labels: { readonly model: string; readonly node: string }
  readonly outcomes: Map<string, number>
  readonly tokens: { prompt: number; completion: number; cached: number; reasoning: number }
  costNano: bigint
  estimated: number
  failedAttempts: number
  readonly firstToken: Buckets
  readonly gap: Buckets
  readonly total: Buckets
}

/**
 * Adds up completions per model and node. It is asked once per request on the hot path, where a metrics library that
 * looks every figure up by its labels costs several times more; the library renders what was added up.
 */
export class CompletionSeries {
  private readonly byModel = new Map<string, Map<string, Series>>()

  add(facts: CompletionFacts): void {
    const series = this.find(facts.model, facts.node ?? 'none')
    series.outcomes.set(facts.outcome, (series.outcomes.get(facts.outcome) ?? 0) + 1)
    series.tokens.prompt += facts.usage.promptTokens
    series.tokens.completion += facts.usage.completionTokens
    series.tokens.cached += facts.usage.cachedTokens
    series.tokens.reasoning += facts.usage.reasoningTokens
    if (facts.charge !== null) series.costNano += facts.charge.totalNano
    if (facts.usageSource === 'estimated') series.estimated += 1
    for (const { node } of facts.attempts) if (node !== facts.node) this.find(facts.model, node).failedAttempts += 1
    if (facts.firstByteMs !== null) observe(series.firstToken, facts.firstByteMs / 1_000)
    if (facts.chunkGapMs !== null) observe(series.gap, facts.chunkGapMs / 1_000)
    observe(series.total, facts.totalMs / 1_000)
  }

  *all(): Generator<Series> {
    for (const nodes of this.byModel.values()) yield* nodes.values()
  }

  private find(model: string, node: string): Series {
    let nodes = this.byModel.get(model)
    if (nodes === undefined) {
      nodes = new Map()
      this.byModel.set(model, nodes)
    }
    let series = nodes.get(node)
    if (series === undefined) {
      series = createSeries(model, node)
      nodes.set(node, series)
    }
    return series
  }
}

function createSeries(model: string, node: string): Series {
  return {
    labels: { model, node },
    outcomes: new Map(),
    tokens: { prompt: 0, completion: 0, cached: 0, reasoning: 0 },
    costNano: 0n,
    estimated: 0,
    failedAttempts: 0,
    firstToken: createBuckets(secondsBuckets),
    gap: createBuckets(gapBuckets),
    total: createBuckets(secondsBuckets),
  }
}

function createBuckets(bounds: readonly number[]): Buckets {
  return { bounds, counts: bounds.map(() => 0), sum: 0, count: 0 }
}

function observe(buckets: Buckets, value: number): void {
  buckets.sum += value
  buckets.count += 1
  const place = buckets.bounds.findIndex(bound => value <= bound)
  if (place !== -1) buckets.counts[place] = (buckets.counts[place] ?? 0) + 1
}
