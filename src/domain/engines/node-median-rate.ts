/** Answers that the median looks back on: enough to be steady, few enough to follow a node that changes. */
const windowSize = 64

/** How fast one node generates, in output tokens per second, as the median of its latest answers. */
export interface MedianRate {
  /** Counts one finished answer; what is no positive number is not counted. */
  add(tokensPerSecond: number): void
  /** Null before the first answer. */
  median(): number | null
}

export function createMedianRate(): MedianRate {
  const rates = new Float64Array(windowSize)
  let count = 0

  return {
    add(tokensPerSecond) {
      if (!Number.isFinite(tokensPerSecond) || tokensPerSecond <= 0) return
      rates[count % windowSize] = tokensPerSecond
      count += 1
    },
    median() {
      if (count === 0) return null
      const sorted = rates.slice(0, Math.min(count, windowSize)).sort()
      const middle = sorted.length >> 1
      const upper = sorted[middle] ?? 0
      return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
    },
  }
}
