import { createPlace, type PlaceContext } from './worker-place.ts'

/** After so many starts in a row that failed at every place, another would fail too. */
const failedStartsMax = 5

export interface WorkerGroupOptions extends Omit<PlaceContext, 'onFailedStart'> {
  readonly count: number
  /** Told once, with the last reason, when no place can be filled any more. */
  readonly onHopeless: (reason: string) => void
}

/** The workers of one gateway, as many as there are to be. */
export interface WorkerGroup {
  /**
   * Starts the first worker alone, because it may set up the installation, then the others together.
   * Rejects with the reason when one of them does not become ready; `close` ends the others.
   */
  start(): Promise<void>
  /** Replaces the worker of one place, when its turn comes. */
  replace(place: number): void
  /** Replaces all, one after the other, and stops at the first that fails. Asked again meanwhile, it does so once more. */
  replaceAll(): void
  /** Ends all of them. Resolves when they are gone. */
  close(): Promise<void>
}

export function createWorkerGroup({ count, onHopeless, ...context }: WorkerGroupOptions): WorkerGroup {
  const { logger } = context
  const places = Array.from({ length: count }, (_, index) =>
    createPlace(index + 1, { ...context, onFailedStart: judgeHope }),
  )
  let replacements: Promise<void> = Promise.resolve()
  const waiting = new Set<number | 'all'>()
  let hasHope = true
  let isClosing = false

  function judgeHope(reason: string): void {
    const isHopeless = places.every(({ isServing, failedStarts }) => !isServing && failedStarts >= failedStartsMax)
    if (!isHopeless || !hasHope) return
    hasHope = false
    onHopeless(reason)
  }

  /** Only one worker is replaced at a time, so that all others keep serving; of each wish at most one waits. */
  function enqueue(wish: number | 'all', task: () => Promise<void>): void {
    if (waiting.has(wish)) return
    waiting.add(wish)
    replacements = replacements.then(() => {
      waiting.delete(wish)
      return task()
    })
  }

  async function replaceEach(): Promise<void> {
    logger.info('workers.replacing', { count })
    for (const place of places) {
      const isReplaced = await place.replace()
      if (isClosing) return
      if (isReplaced) continue
      logger.error('workers.replace_failed')
      return
    }
    logger.info('workers.replaced', { count })
  }

  return {
    async start() {
      const [first, ...others] = places
      await first?.open()
      await Promise.all(others.map(place => place.open()))
    },
    replace: place => enqueue(place, async () => void (await places[place - 1]?.replace())),
    replaceAll: () => enqueue('all', replaceEach),
    async close() {
      isClosing = true
      await Promise.all(places.map(place => place.close()))
    },
  }
}
