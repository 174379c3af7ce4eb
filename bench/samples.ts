/** Milliseconds; 0 everywhere when nothing was measured. */
export interface LatencySummary {
  p50: number
  p99: number
  max: number
}

export interface Samples {
  /** Keeps a sample; beyond the bound it is dropped. */
  add(milliseconds: number): void
  count(): number
  /** Exact percentiles (nearest rank). No sample can be added afterwards. */
  summarize(): LatencySummary
}

/** A bounded list of latencies that allocates nothing while it is filled. */
export function createSamples(bound: number): Samples {
  const values = new Float64Array(bound)
  let count = 0
  return {
    add(milliseconds) {
      if (count < bound) values[count++] = milliseconds
    },
    count: () => count,
    summarize() {
      const sorted = values.subarray(0, count).sort()
      const at = (share: number) => sorted[Math.max(0, Math.ceil(count * share) - 1)] ?? 0
      return { p50: at(0.5), p99: at(0.99), max: sorted[count - 1] ?? 0 }
    },
  }
}
