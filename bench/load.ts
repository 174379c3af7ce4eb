import type { Expectation } from './answer-check.ts'
import { createLoadConnection, type LoadConnection, type LoadTarget } from './load-connection.ts'
import { createLoadDispatcher, type LoadDispatcher } from './load-dispatcher.ts'
import { createLoadMeter, type LoadMeter } from './load-meter.ts'
import { readProcessTree } from './process-cpu.ts'
import type { LatencySummary } from './samples.ts'

/** One measured window. Everything in it is bounded. */
export interface LoadSpec {
  target: LoadTarget
  /** JSON text of the request, ASCII. */
  body: string
  expectation: Expectation
  connections: number
  /** The connections are opened evenly over this time, which is part of the warm-up. */
  rampMs: number
  warmUpMs: number
  windowMs: number
  /** The window ends early when as many answers have been counted. */
  maxAnswers: number
  /** Requests per second, spread over the connections; null: each connection sends again as soon as it has its answer. */
  ratePerSecond: number | null
  /** How long answers in flight may take after the window; 0 cuts them. */
  drainMs: number
  countEvents: boolean
  /** Root of the process tree whose CPU and memory are read at both ends of the window; null: none. */
  watchPid: number | null
}

export interface LoadResult {
  answers: number
  /** Events that arrived in the window; 0 when they are not counted. */
  events: number
  seconds: number
  /** From the request to the end of the answer, milliseconds. */
  latency: LatencySummary
  /** From the request to the head of the answer, milliseconds. */
  firstByte: LatencySummary
  /** Between two arrivals of events on one stream, milliseconds; zeros where events are not counted. */
  gap: LatencySummary
  /** Whole answers, those outside the window too. */
  completed: number
  /** How many of them were read and checked in full. */
  checked: number
  /** Requests in flight when the window ended. */
  open: number
  /** Any fault, also one outside the window, makes the figures void. */
  faults: number
  /** The first few different reasons. */
  reasons: string[]
  /** Of the watched tree during the window, microseconds. */
  cpuMicros: number | null
  /** Of the watched tree at the end of the window. */
  rssBytes: number | null
}

const answerTimeoutMs = 60_000
const checkEachAnswer = 64

/**
 * Sends requests over keep-alive connections, warms up, then measures one window.
 * A run that is aborted or has too many faults ends early, with what it has.
 */
export async function runLoad(spec: LoadSpec, signal: AbortSignal): Promise<LoadResult> {
  const stop = new AbortController()
  const ended = AbortSignal.any([signal, stop.signal])
  const meter = createLoadMeter(spec.maxAnswers, () => stop.abort())
  const connections: LoadConnection[] = []
  const dispatcher = createLoadDispatcher(spec.ratePerSecond, reason => meter.onFault(reason))
  const watchdog = setInterval(() => {
    const oldest = Math.min(...connections.map(connection => connection.inFlightSince() ?? Number.POSITIVE_INFINITY))
    if (performance.now() - oldest > answerTimeoutMs + spec.warmUpMs + spec.windowMs)
      meter.onFault('an answer took too long')
  }, 1_000)

  const ramp = openConnections(spec, connections, { meter, dispatcher, signal: ended })
  await sleep(spec.warmUpMs, ended)
  const cpuBefore = readWatched(spec)?.cpuMicros ?? null
  meter.begin()
  await sleep(spec.windowMs, ended)
  meter.end()
  const open = countInFlight(connections)
  const after = readWatched(spec)

  dispatcher.stop()
  await ramp
  await drain(connections, spec.drainMs, signal)
  clearInterval(watchdog)
  for (const connection of connections) connection.destroy()
  const cpuMicros = after === null || cpuBefore === null ? null : after.cpuMicros - cpuBefore
  return { ...meter.result(), open, cpuMicros, rssBytes: after?.rssBytes ?? null }
}

interface LoadParts {
  meter: LoadMeter
  dispatcher: LoadDispatcher
  signal: AbortSignal
}

async function openConnections(spec: LoadSpec, connections: LoadConnection[], parts: LoadParts): Promise<void> {
  let seen = 0
  const options = {
    target: spec.target,
    request: httpRequest(spec),
    expectation: spec.expectation,
    countEvents: spec.countEvents,
    isSampled: () => seen++ % checkEachAnswer === 0,
  }
  const { meter, dispatcher, signal } = parts
  for (let index = 0; index < spec.connections && !signal.aborted; index++) {
    const dueMs = (spec.rampMs * index) / spec.connections
    const aheadMs = dueMs - (performance.now() - meter.createdAt)
    if (aheadMs > 0) await sleep(aheadMs, signal)
    connections.push(
      createLoadConnection(options, {
        onIdle: dispatcher.onIdle,
        onFirstByte: meter.onFirstByte,
        onEvents: meter.onEvents,
        onAnswer: meter.onAnswer,
        onFault: meter.onFault,
      }),
    )
  }
}

async function drain(connections: readonly LoadConnection[], drainMs: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + drainMs
  while (performance.now() < deadline && countInFlight(connections) > 0 && !signal.aborted) await sleep(10, signal)
}

function countInFlight(connections: readonly LoadConnection[]): number {
  return connections.filter(connection => connection.inFlightSince() !== null).length
}

function readWatched({ watchPid }: LoadSpec) {
  return watchPid === null ? null : readProcessTree(watchPid)
}

function httpRequest({ target, body }: LoadSpec): Buffer {
  const credentials = target.authorization === '' ? '' : `Authorization: ${target.authorization}\r\n`
  return Buffer.from(
    `POST ${target.path} HTTP/1.1\r\nHost: ${target.host}:${target.port}\r\n${credentials}` +
      `Content-Type: application/json\r\nAccept: */*\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** Waits, or less when the signal fires. */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) {
      resolve()
      return
    }
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done)
  })
}
