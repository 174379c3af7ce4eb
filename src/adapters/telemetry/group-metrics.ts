import { AggregatorRegistry } from 'prom-client'
import type { MetricsFigures, MetricsPage } from './prometheus-metrics.ts'

/** The figures of several processes as those of one gateway. */
export interface GroupMetrics {
  /** Takes over the latest figures of a process. */
  note(process: string, figures: MetricsFigures): void
  /** The process is gone: what it had counted stays, so that no total ever falls; its gauges go with it. */
  forget(process: string): void
  page(): Promise<MetricsPage>
}

/**
 * Adds up figures as their aggregators say. A total that fell, as when a worker is started anew, would look like a restart
 * of the whole gateway, and everything counted before would be counted again by those who draw rates from it.
 */
export function createGroupMetrics(): GroupMetrics {
  const latest = new Map<string, MetricsFigures>()
  let gone: MetricsFigures = []
  return {
    note: (process, figures) => void latest.set(process, figures),
    forget(process) {
      const figures = latest.get(process)
      latest.delete(process)
      if (figures !== undefined) gone = addUp([gone, figures.filter(isTotal)])
    },
    async page() {
      const all = AggregatorRegistry.aggregate([...latest.values(), gone])
      return { contentType: all.contentType, text: await all.metrics() }
    },
  }
}

function isTotal({ type }: MetricsFigures[number]): boolean {
  return ['counter', 'histogram'].includes(String(type))
}

function addUp(figures: readonly MetricsFigures[]): MetricsFigures {
  // The library declares less than what it makes: metrics with their values, as they went in.
  return AggregatorRegistry.aggregate([...figures]).getMetricsAsArray() as MetricsFigures
}
