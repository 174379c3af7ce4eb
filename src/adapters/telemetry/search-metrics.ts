import { Counter, Histogram, type Registry } from 'prom-client'
import type { SearchObserver } from '../../domain/search/search-observer.ts'

const secondsBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8]

/** Figures of web search. Its labels are names of the configuration: no query, no account. */
export function registerSearchMetrics(registry: Registry): SearchObserver {
  const registers = [registry]
  const searches = new Counter({
    name: 'rialto_searches_total',
    help: 'Web searches by where their outcome came from: providers, an equal search that was running, or the cache.',
    labelNames: ['from'],
    registers,
  })
  const questions = new Counter({
    name: 'rialto_search_questions_total',
    help: 'Questions to search providers by outcome.',
    labelNames: ['provider', 'outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'rialto_search_seconds',
    help: 'From question to outcome of a search provider.',
    labelNames: ['provider'],
    buckets: secondsBuckets,
    registers,
  })
  return {
    asked(provider, outcome, tookMs) {
      questions.inc({ provider, outcome })
      seconds.observe({ provider }, tookMs / 1_000)
    },
    looked: from => searches.inc({ from }),
  }
}
