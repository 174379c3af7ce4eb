import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineModel } from './answers.ts'
import { choosePinning, type Pinning, startChild, typescriptCommand } from './child-process.ts'
import { type LoadClient, startLoadClient } from './load-client.ts'
import { findFreePort, waitUntilReady } from './loopback.ts'
import { startNginx } from './nginx-target.ts'
import { type BenchOptions, readOptions, usage } from './options.ts'
import { startRialto } from './rialto-target.ts'
import { measureMemory, measureScenarios } from './rounds.ts'
import { printMachine, printReport, type RunReport, writeReport } from './run-report.ts'
import { listScenarios, memoryScenario } from './scenarios.ts'
import {
  completionPath,
  type Finding,
  type Target,
  type TargetContext,
  type TargetName,
  TargetUnavailableError,
} from './target.ts'

/** Longest time that a whole run may take; then it ends itself with an error. */
const quickLimitMs = 120_000
const fullLimitMs = 1_200_000

/** Things to end when the bench ends, in reverse order of their start. */
const openThings: (() => Promise<unknown>)[] = []

async function main(options: BenchOptions): Promise<number> {
  const began = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-'))
  openThings.push(async () => rmSync(folder, { recursive: true, force: true }))
  const pinning = choosePinning()
  printMachine(pinning)
  const enginePort = await startEngine(pinning)
  const load = startLoadClient(pinning.rig)
  openThings.push(() => load.stop())
  const { targets, skipped } = await startTargets(options, { enginePort, pinning, folder })
  const figures = await measureAll(options, targets, load)
  const findings = [...figures.voids, ...(await stopTargets(targets))]
  const report: RunReport = { ...figures, targets, skipped, findings, seconds: (performance.now() - began) / 1_000 }
  printReport(report, options.targets)
  if (options.jsonFile !== null) writeReport(options.jsonFile, report, { options, pinning })
  return findings.some(({ isFault }) => isFault) ? 1 : 0
}

async function startEngine(pinning: Pinning): Promise<number> {
  const port = await findFreePort()
  const engine = startChild(typescriptCommand(new URL('./mock-engine-process.ts', import.meta.url), String(port)), {
    processor: pinning.rig,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  openThings.push(() => engine.stop())
  await waitUntilReady(engine, `http://127.0.0.1:${port}/v1/models`)
  return port
}

async function startTargets({ targets: names }: BenchOptions, context: TargetContext) {
  const starters = { direct: startDirect, nginx: startNginx, rialto: startRialto }
  const targets: Target[] = []
  openThings.push(() => stopTargets(targets))
  const skipped: Partial<Record<TargetName, string>> = {}
  for (const name of names) {
    const folder = join(context.folder, name)
    mkdirSync(folder)
    try {
      targets.push(await starters[name]({ ...context, folder }))
    } catch (error) {
      if (!(error instanceof TargetUnavailableError)) throw error
      skipped[name] = error.message
    }
  }
  return { targets, skipped }
}

async function startDirect({ enginePort }: TargetContext): Promise<Target> {
  return {
    name: 'direct',
    load: { host: '127.0.0.1', port: enginePort, path: completionPath, authorization: '' },
    model: engineModel,
    isBilled: false,
    completed: 0,
    pid: null,
    readyMs: null,
    version: 'the mock engine itself',
    stop: async () => [],
  }
}

/** Ends each target once and returns what they have to say. */
async function stopTargets(targets: Target[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const target of targets) {
    const stop = target.stop
    target.stop = async () => []
    findings.push(...(await stop()))
  }
  return findings
}

async function measureAll({ isQuick, only }: BenchOptions, targets: Target[], load: LoadClient) {
  const isWanted = ({ name }: { name: string }) => only?.includes(name) ?? true
  const slow = memoryScenario(isQuick)
  const streams = isWanted(slow) ? await measureMemory(slow, targets, load) : { memory: [], voids: [] }
  const scenarios = listScenarios(isQuick).filter(isWanted)
  const figures = await measureScenarios(scenarios, targets, { load, rounds: isQuick ? 2 : 3 })
  return { ...figures, slow, memory: streams.memory, voids: [...streams.voids, ...figures.voids] }
}

/** Ends everything that the bench has started, the youngest first. */
async function closeAll(): Promise<void> {
  for (let close = openThings.pop(); close !== undefined; close = openThings.pop()) {
    await close().catch((error: Error) => console.error(error.message))
  }
}

let closing: Promise<void> | null = null

/** Ends once, with the first code: a signal makes the running measurement fail, which must not cut the closing short. */
async function endWith(code: number): Promise<void> {
  if (closing !== null) return
  closing = closeAll()
  await closing
  process.exit(code)
}

async function start(options: BenchOptions): Promise<void> {
  process.on('SIGINT', () => void endWith(130))
  process.on('SIGTERM', () => void endWith(143))
  const limitMs = options.isQuick ? quickLimitMs : fullLimitMs
  setTimeout(() => {
    console.error(`the bench did not end within ${limitMs} ms`)
    void endWith(1)
  }, limitMs).unref()
  try {
    await endWith(await main(options))
  } catch (error) {
    if (closing === null) console.error(error instanceof Error ? error.message : error)
    await endWith(1)
  }
}

try {
  void start(readOptions(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error(usage)
  process.exitCode = 2
}
