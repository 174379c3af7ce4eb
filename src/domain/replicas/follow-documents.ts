import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/logger.ts'
import { StoreUnavailable } from '../../core/store-error.ts'
import type { Timers } from '../../core/timers.ts'
import type { SharedDocuments, WatchDocuments, WatchState } from './shared-documents.ts'
import type { SharedDocument } from './types.ts'

/** Half of the second in which a change must take effect, also when no notification comes. */
const lookEveryMs = 500
/** How often everything is read, whatever changed (reliability.md §6.6). */
const readAllEveryMs = 5_000
/** From the beginning of one look to that of the next: a thousand changes are one or two looks. */
const lookGapMs = 50

export interface FollowOptions {
  readonly documents: Pick<SharedDocuments, 'readSince'>
  readonly watch: WatchDocuments
  /**
   * Called for each document that was read, one after the other, changed or not. What it throws is logged once per version;
   * after StoreUnavailable it is called again with the next look.
   */
  readonly apply: (document: SharedDocument) => void | Promise<void>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly timers: Timers
  readonly logger: Logger
}

export interface DocumentFollower {
  /** Looks now. Resolves when everything that was stored before the call is applied. @throws what the store throws */
  refresh(): Promise<void>
  /** Begins to look by itself. */
  start(): void
  /** Resolves when nothing is applied any more. */
  stop(): Promise<void>
}

/** Keeps this gateway in step with the documents that all of them share. */
export function followDocuments(options: FollowOptions): DocumentFollower {
  const { clock, timers } = options
  const reader = createReader(options)
  let beganMs = Number.NEGATIVE_INFINITY
  let current: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  let stopped = false
  let cancelTimer = (): void => undefined
  let endWatch = (): void => undefined

  /** Whoever asks while a look runs gets the one after it: the running one may have read too early. */
  function refresh(): Promise<void> {
    if (next !== null) return next
    const look = current.then(pause).then(() => {
      next = null
      beganMs = clock.monotonic()
      return stopped ? undefined : reader.read(beganMs)
    })
    next = look
    current = look.catch(ignoreLogged)
    return look
  }

  function pause(): Promise<void> | undefined {
    const waitMs = beganMs + lookGapMs - clock.monotonic()
    if (waitMs <= 0) return undefined
    return new Promise(resolve => timers.after(waitMs, resolve))
  }

  function tick(): void {
    const again = (): void => {
      if (!stopped) cancelTimer = timers.after(lookEveryMs, tick)
    }
    void refresh().then(again, again)
  }

  return {
    refresh,
    start() {
      endWatch = options.watch({ onHint: () => void refresh().catch(ignoreLogged), onState: stateLog(options.logger) })
      tick()
    },
    async stop() {
      stopped = true
      cancelTimer()
      endWatch()
      await current
    },
  }
}

/** Says once whether changes come at once or with the next look. */
function stateLog(logger: Logger): (state: WatchState) => void {
  let last: WatchState | null = null
  return state => {
    if (state === last) return
    last = state
    if (state === 'listening') logger.info('replicas.listening')
    else logger.warn('replicas.polling', { reason: state, everyMs: lookEveryMs })
  }
}

/** The reader has logged it, and the next look tries again. */
const ignoreLogged = (): void => undefined

interface Reader {
  read(nowMs: number): Promise<void>
}

function createReader({ documents, apply, logger }: FollowOptions): Reader {
  let seen = 0
  let allReadAtMs = Number.NEGATIVE_INFINITY
  let isReadable = true
  const failed = new Map<string, number>()

  /** True when it has to be tried again soon. */
  async function applyOne(document: SharedDocument): Promise<boolean> {
    const { name, version } = document
    try {
      await apply(document)
      failed.delete(name)
      return false
    } catch (error) {
      if (failed.get(name) !== version) logger.error('replicas.apply_failed', { document: name, version, error })
      failed.set(name, version)
      return error instanceof StoreUnavailable
    }
  }

  async function read(nowMs: number): Promise<void> {
    const isWhole = nowMs - allReadAtMs >= readAllEveryMs
    const snapshot = await documents.readSince(isWhole ? 0 : seen)
    // A store that was restored from a backup, or lost its last commits, counts from an earlier version again.
    let isPartial = snapshot.version < seen
    for (const document of snapshot.documents) {
      if (await applyOne(document)) isPartial = true
    }
    seen = snapshot.version
    if (isPartial) allReadAtMs = Number.NEGATIVE_INFINITY
    else if (isWhole) allReadAtMs = nowMs
  }

  return {
    async read(nowMs) {
      try {
        await read(nowMs)
      } catch (error) {
        if (isReadable) logger.error('replicas.unreadable', { error })
        isReadable = false
        throw error
      }
      if (!isReadable) logger.info('replicas.readable')
      isReadable = true
    },
  }
}
