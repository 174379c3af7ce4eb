import { createGroupMetrics } from '../../adapters/telemetry/group-metrics.ts'
import { createPrometheusMetrics, type MetricsPage } from '../../adapters/telemetry/prometheus-metrics.ts'
import type { FoundEngine } from '../../core/found-engine.ts'
import { newId } from '../../core/ids.ts'
import type { ConfigFile } from '../installation-config.ts'
import type { Installation } from '../open-installation.ts'
import type { OwnStore } from './own-store.ts'
import { encodeEngine, type WorkerStart, type WorkerStarted } from './protocol.ts'
import { createReleases } from './releases.ts'
import { launchWorker, type WorkerLink } from './worker-link.ts'

export interface CrewOptions {
  readonly count: number
  readonly version: string
  readonly installation: Installation
  readonly gguf: FoundEngine | null
  readonly listen: WorkerStart['listen']
  /** Null where each worker opens the store by itself. */
  readonly store: OwnStore | null
}

/** The workers that live at this moment, what they are given, and what is done when one is gone. */
export interface Crew {
  launch(place: number): WorkerLink
  /** What the first one said when it was ready; null before. */
  readonly first: WorkerStarted | null
  /** Has all of them take over a file, and those that are started later. `onFailed` hears which one did not. */
  reload(file: ConfigFile, onFailed: (place: number) => void): Promise<void>
  /** Waits, within a bound, until nothing is left of those that are gone. */
  end(): Promise<void>
}

const cleanExit = 'code 0'

export function createCrew(options: CrewOptions): Crew {
  const { store, version } = options
  const { timers, logger } = options.installation.ground
  const links = new Set<WorkerLink>()
  const metrics = gatherMetrics(links)
  const releases = createReleases({ resolve: store?.recoverFrom ?? recoverThrough(links), timers, logger })
  let { file } = options.installation
  let first: WorkerStarted | null = null

  function noteEnd(link: WorkerLink, exit: string): void {
    links.delete(link)
    metrics.forget(link.processId)
    // One that ended as it was asked to has nothing open.
    if (!(link.isEnding && exit === cleanExit)) releases.begin(link.processId)
  }

  async function reloadOne(link: WorkerLink, onFailed: (place: number) => void): Promise<void> {
    try {
      if (file !== null) await link.reload(file)
    } catch (error) {
      if (link.isEnding || !links.has(link)) return
      logger.error('worker.reload_failed', { worker: link.place, error })
      onFailed(link.place)
    }
  }

  return {
    launch(place) {
      const start = { ...describeStart(options, place), file }
      const link = launchWorker({
        version,
        start,
        store: store?.run ?? null,
        metrics: metrics.page,
        onLastFigures: figures => metrics.note(start.processId, figures),
        onReady(started) {
          first ??= started
        },
      })
      links.add(link)
      void link.ended.then(exit => noteEnd(link, exit))
      return link
    },
    get first() {
      return first
    },
    async reload(next, onFailed) {
      file = next
      await Promise.all([...links].map(link => reloadOne(link, onFailed)))
    },
    end: () => releases.end(),
  }
}

function describeStart({ count, installation, gguf, listen, store }: CrewOptions, place: number) {
  return {
    place,
    count,
    processId: newId('proc', installation.ground.random),
    found: installation.found.map(encodeEngine),
    gguf: gguf === null ? null : encodeEngine(gguf),
    listen,
    storeIsShared: store !== null,
  }
}

/** Where each worker opens the store by itself, one that serves resolves what another left open. */
function recoverThrough(links: ReadonlySet<WorkerLink>): (deadProcessId: string) => Promise<void> {
  return async deadProcessId => {
    const helper = [...links].find(({ hasBegun, isEnding }) => hasBegun && !isEnding)
    if (helper === undefined) throw new Error('no other worker serves now')
    await helper.recoverFrom(deadProcessId)
  }
}

/** The figures of all workers, and those of this process: it, too, takes time and memory. */
function gatherMetrics(links: ReadonlySet<WorkerLink>) {
  const group = createGroupMetrics()
  const own = createPrometheusMetrics(() => [])

  async function ask(link: WorkerLink): Promise<void> {
    // One that does not answer in time is shown as it was.
    const figures = await link.figures().catch(() => null)
    if (figures !== null && links.has(link)) group.note(link.processId, figures)
  }

  return {
    ...group,
    async page(): Promise<MetricsPage> {
      group.note('primary', await own.figures())
      await Promise.all([...links].filter(({ hasBegun }) => hasBegun).map(ask))
      return group.page()
    },
  }
}
