/** What one unit of work is, for the CPU column. */
type Unit = 'request' | 'stream' | 'event'

/** What the project sets itself to reach; a ratio compares with nginx, an addition with the direct path. */
export interface Goals {
  cpuRatio?: number
  addedP50Ms?: number
  answersPerSecond?: number
}

export interface Scenario {
  name: string
  title: string
  answer: 'json' | 'stream'
  /** Value of the body's key `bench`, which the mock engine obeys. */
  engineMode: string
  bodyBytes: number
  connections: number
  ratePerSecond: number | null
  unit: Unit
  /** Which time the latency columns show. */
  latencyOf: 'answer' | 'gap'
  /** Which figure decides the best of the rounds. */
  bestBy: 'cpu' | 'latency'
  warmUpMs: number
  windowMs: number
  rampMs: number
  drainMs: number
  goals: Goals
}

const kibibyte = 1_024

/** Both sets send 10,000 events a second; the quick one over fewer streams that last a second instead of four. */
const pacedStreams = {
  quick: { count: 50, eventMs: 5, lastsMs: 1_000 },
  full: { count: 200, eventMs: 20, lastsMs: 4_000 },
}

/** The scenarios, in the order in which they run. The quick set keeps the four that say most, in shorter windows. */
export function listScenarios(isQuick: boolean): Scenario[] {
  const pace = isQuick ? pacedStreams.quick : pacedStreams.full
  const base = {
    warmUpMs: isQuick ? 300 : 1_000,
    windowMs: isQuick ? 800 : 4_000,
    rampMs: 0,
    drainMs: 5_000,
    ratePerSecond: null,
    goals: {},
  }
  const json = {
    ...base,
    answer: 'json' as const,
    engineMode: 'json',
    bodyBytes: kibibyte,
    unit: 'request' as const,
    latencyOf: 'answer' as const,
    bestBy: 'latency' as const,
  }
  const stream = { ...base, answer: 'stream' as const, bodyBytes: kibibyte, bestBy: 'cpu' as const }
  const json64: Scenario = {
    ...json,
    name: 'json-1k-c64',
    title: 'JSON 1 KB, 64 connections',
    connections: 64,
    bestBy: 'cpu',
    goals: { cpuRatio: 5, answersPerSecond: 3_000 },
  }
  const json16: Scenario = {
    ...json,
    name: 'json-1k-c16',
    title: 'JSON 1 KB, 16 connections',
    connections: 16,
    goals: { addedP50Ms: 1.5 },
  }
  const burst: Scenario = {
    ...stream,
    name: 'sse-burst',
    title: 'SSE, 200 events in one burst, 16 connections',
    engineMode: 'burst',
    connections: 16,
    unit: 'stream',
    latencyOf: 'answer',
    goals: { cpuRatio: 6 },
  }
  const paced: Scenario = {
    ...stream,
    name: 'sse-paced',
    title: `SSE, ${pace.count} streams, an event each ${pace.eventMs} ms`,
    engineMode: `paced-${pace.eventMs}`,
    connections: pace.count,
    unit: 'event',
    latencyOf: 'gap',
    rampMs: pace.lastsMs,
    warmUpMs: pace.lastsMs + 200,
    windowMs: pace.lastsMs,
    drainMs: pace.lastsMs + 5_000,
    goals: { cpuRatio: 2.5 },
  }
  if (isQuick) return [json64, json16, burst, paced]
  return [
    json64,
    json16,
    { ...json, name: 'json-1k-c1', title: 'JSON 1 KB, 1 connection', connections: 1 },
    {
      ...json,
      name: 'json-1k-rate',
      title: 'JSON 1 KB, 500 a second over 16 connections',
      connections: 16,
      ratePerSecond: 500,
    },
    {
      ...json,
      name: 'json-64k-c16',
      title: 'JSON 64 KB, 16 connections',
      bodyBytes: 64 * kibibyte,
      connections: 16,
      bestBy: 'cpu',
    },
    burst,
    paced,
  ]
}

/** Many open streams with an event a second: what a stream costs in memory. */
export function memoryScenario(isQuick: boolean): Scenario {
  const connections = isQuick ? 200 : 1_000
  return {
    name: 'sse-slow',
    title: `SSE, ${connections.toLocaleString('en')} slow streams, an event a second`,
    answer: 'stream',
    engineMode: 'paced-1000',
    bodyBytes: kibibyte,
    connections,
    ratePerSecond: null,
    unit: 'event',
    latencyOf: 'gap',
    bestBy: 'cpu',
    rampMs: isQuick ? 500 : 2_000,
    warmUpMs: isQuick ? 1_500 : 5_000,
    windowMs: isQuick ? 1_000 : 2_000,
    drainMs: 0,
    goals: {},
  }
}
