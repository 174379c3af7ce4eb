import { type ForkedWorker, forkWorker } from '../../adapters/cluster/fork-worker.ts'
import type { MetricsFigures } from '../../adapters/telemetry/prometheus-metrics.ts'
import type { EndMode, WorkerProcess } from '../../domain/workers/worker-process.ts'
import { createPeer } from '../../lib/peer.ts'
import type { ConfigFile } from '../installation-config.ts'
import type { PrimaryAnswers, WorkerAnswers, WorkerStart, WorkerStarted } from './protocol.ts'

/** A worker takes a configuration over with one write to the store. */
const reloadWaitMs = 15_000
/** A scrape rather tells of a worker's last figures than wait for one that is busy. */
const figuresWaitMs = 2_000
const endWaitMs = 10_000
const recoverWaitMs = 30_000

/** One worker, as the first process of the gateway deals with it. */
export interface WorkerLink extends WorkerProcess {
  readonly place: number
  readonly processId: string
  /** True once it is ready. */
  readonly hasBegun: boolean
  /** True once it was asked to end. */
  readonly isEnding: boolean
  /** Rejects when the worker did not take it over. */
  reload(file: ConfigFile): Promise<void>
  figures(): Promise<MetricsFigures>
  /** Has it resolve what another one left open. Rejects when the store takes nothing now. */
  recoverFrom(deadProcessId: string): Promise<void>
}

/** What workers are given and may ask for. */
export interface WorkerHost {
  readonly version: string
  readonly start: WorkerStart
  readonly onReady: (started: WorkerStarted) => void
  /** Null where workers open the store by themselves. */
  readonly store: PrimaryStore | null
  readonly metrics: () => Promise<Answer<'metrics'>>
  readonly onLastFigures: (figures: MetricsFigures) => void
}

type Answer<N extends keyof PrimaryAnswers> = ReturnType<PrimaryAnswers[N]>
type PrimaryStore = (shared: Parameters<PrimaryAnswers['store']>[0]) => Promise<Answer<'store'>>

/** Starts a worker's process and answers what it asks. */
export function launchWorker(host: WorkerHost): WorkerLink {
  const forked = forkWorker()
  const { start } = host
  const peer = createPeer<WorkerAnswers, PrimaryAnswers>(forked.line)
  let hasBegun = false
  let isEnding = false

  peer.answer('join', version => {
    if (version !== host.version) throw new Error(otherVersion)
    return start
  })
  peer.answer('store', shared => {
    if (host.store === null) throw new Error('this gateway shares no store')
    return host.store(shared)
  })
  peer.answer('metrics', host.metrics)
  peer.answer('leave', figures => {
    host.onLastFigures(figures)
    return null
  })
  const ready = whenReady(forked, peer, started => {
    hasBegun = true
    host.onReady(started)
  })

  function end(mode: EndMode): void {
    isEnding = true
    // One that does not answer is killed in its time.
    peer.ask('end', mode, endWaitMs).catch(() => undefined)
  }

  return {
    place: start.place,
    processId: start.processId,
    pid: forked.pid,
    ready,
    ended: forked.ended,
    get hasBegun() {
      return hasBegun
    },
    get isEnding() {
      return isEnding
    },
    end,
    kill: forked.kill,
    reload: async file => void (await peer.ask('reload', file, reloadWaitMs)),
    recoverFrom: async deadProcessId => void (await peer.ask('recoverFrom', deadProcessId, recoverWaitMs)),
    figures: () => peer.ask('figures', null, figuresWaitMs),
  }
}

const otherVersion =
  'the files of the gateway were replaced by another version: workers of it need a first process of it, so stop and start the gateway'

type HostPeer = ReturnType<typeof createPeer<WorkerAnswers, PrimaryAnswers>>

function whenReady(forked: ForkedWorker, peer: HostPeer, onReady: WorkerHost['onReady']): Promise<void> {
  const ready = new Promise<void>((resolve, reject) => {
    peer.answer('ready', started => {
      onReady(started)
      resolve()
      return null
    })
    peer.answer('failed', reason => {
      reject(new Error(reason))
      return null
    })
    void forked.ended.then(exit => reject(new Error(`a worker ended (${exit}) before it was ready`)))
  })
  // Whoever waits for it hears of it; a worker that is being ended has nobody who waits.
  ready.catch(() => undefined)
  return ready
}
