import type { LoadResult, LoadSpec } from './load.ts'
import type { LoadClient } from './load-client.ts'
import { chooseBest, type Measurement, measure } from './measurement.ts'
import { readProcessTree } from './process-cpu.ts'
import type { MemoryRow, ScenarioReport } from './report.ts'
import { requestBody } from './request-body.ts'
import type { Scenario } from './scenarios.ts'
import type { Finding, Target } from './target.ts'

/** More answers than any path gives in a second; it bounds the memory of a window. */
const maxAnswersPerSecond = 100_000
/** Answers that a fresh process gives before its idle memory is read, so that code loading is not counted. */
const settlingAnswers = 200
const settlingMs = 1_000

/** What the scenarios gave: the best windows, all windows, and why some are void. */
export interface ScenarioFigures {
  reports: ScenarioReport[]
  windows: Measurement[]
  voids: Finding[]
}

/**
 * Measures each scenario in rounds that run through the paths forwards and backwards in turn (A B C, C B A, A B C): a
 * slow drift of the machine meets all of them alike. A path that gives one wrong answer has no figures in that scenario.
 */
export async function measureScenarios(
  scenarios: readonly Scenario[],
  targets: readonly Target[],
  { load, rounds }: { load: LoadClient; rounds: number },
): Promise<ScenarioFigures> {
  const figures: ScenarioFigures = { reports: [], windows: [], voids: [] }
  for (const scenario of scenarios) {
    console.log(scenario.title)
    const measured: Measurement[] = []
    const faulty = new Set<Target>()
    for (let round = 0; round < rounds; round++) {
      for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
        if (faulty.has(target)) continue
        const result = await runWindow(load, target, toLoadSpec(scenario, target))
        const fault = findVoid(scenario, target, result)
        if (fault === null) measured.push(measure(scenario, target.name, result))
        else {
          faulty.add(target)
          figures.voids.push(fault)
        }
      }
    }
    const sound = targets.filter(target => !faulty.has(target))
    figures.windows.push(...measured)
    figures.reports.push({ scenario, rows: bestRows(scenario, sound, measured) })
  }
  return figures
}

function bestRows(scenario: Scenario, targets: readonly Target[], measured: readonly Measurement[]) {
  const rows: ScenarioReport['rows'] = {}
  for (const { name } of targets) {
    const own = measured.filter(({ target }) => target === name)
    const best = chooseBest(scenario, own)
    if (best !== null) rows[name] = best
  }
  return rows
}

/** Reads the memory of each fresh process, idle and with the scenario's streams open. */
export async function measureMemory(scenario: Scenario, targets: readonly Target[], load: LoadClient) {
  console.log(scenario.title)
  const memory: MemoryRow[] = []
  const voids: Finding[] = []
  for (const target of targets) {
    if (target.pid === null) continue
    const first = await runWindow(load, target, { ...toLoadSpec(settling, target), maxAnswers: settlingAnswers })
    await pause(settlingMs)
    const idle = readProcessTree(target.pid)
    const result = await runWindow(load, target, toLoadSpec(scenario, target))
    await pause(settlingMs)
    const fault = findVoid(settling, target, first) ?? findVoid(scenario, target, result)
    if (fault !== null) voids.push(fault)
    else if (idle !== null && result.rssBytes !== null) {
      memory.push({ target: target.name, idleBytes: idle.rssBytes, loadedBytes: result.rssBytes, streams: result.open })
    }
  }
  return { memory, voids }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}

const settling: Scenario = {
  name: 'settling',
  title: 'First answers of a fresh process',
  answer: 'stream',
  engineMode: 'burst',
  bodyBytes: 1_024,
  connections: 4,
  ratePerSecond: null,
  unit: 'stream',
  latencyOf: 'answer',
  bestBy: 'cpu',
  warmUpMs: 0,
  windowMs: 2_000,
  rampMs: 0,
  drainMs: 5_000,
  goals: {},
}

async function runWindow(load: LoadClient, target: Target, spec: LoadSpec): Promise<LoadResult> {
  const result = await load.run(spec)
  target.completed += result.completed
  return result
}

function findVoid({ title }: Scenario, { name }: Target, result: LoadResult): Finding | null {
  if (result.faults === 0 && result.answers + result.events > 0) return null
  const reasons = result.reasons.length === 0 ? 'no answer came' : result.reasons.join('; ')
  return { isFault: true, text: `VOID    ${title}, ${name}: ${result.faults} faults: ${reasons}` }
}

function toLoadSpec(scenario: Scenario, target: Target): LoadSpec {
  return {
    target: target.load,
    body: requestBody(scenario, target.model),
    expectation: { answer: scenario.answer, model: target.model, cost: target.isBilled },
    connections: scenario.connections,
    rampMs: scenario.rampMs,
    warmUpMs: scenario.warmUpMs,
    windowMs: scenario.windowMs,
    maxAnswers: Math.ceil((maxAnswersPerSecond * scenario.windowMs) / 1_000),
    ratePerSecond: scenario.ratePerSecond,
    drainMs: scenario.drainMs,
    countEvents: scenario.unit === 'event',
    watchPid: target.pid,
  }
}
