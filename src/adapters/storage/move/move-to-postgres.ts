import type { Clock } from '../../../core/clock.ts'
import type { Random } from '../../../core/random.ts'
import type { Secret } from '../../../lib/secret.ts'
import { beginMove, type MoveParts } from './begin-move.ts'
import { copySettled, copyWhileRunning } from './copy-while-running.ts'
import type { BookCounts } from './count-books.ts'
import { finishMove } from './finish-move.ts'
import type { Move, MoveProgress } from './move.ts'
import { openSource } from './open-source.ts'
import { openTarget } from './open-target.ts'
import { rehearse } from './rehearse.ts'
import { takeSource, waitForGateway } from './take-source.ts'
import { verifySettled } from './verify-move.ts'

export interface MoveOptions {
  /** Of the SQLite file. */
  readonly path: string
  readonly url: Secret
  /** How long to wait for the gateway to be stopped. */
  readonly waitMs: number
  /** Checks everything and changes nothing. */
  readonly dryRun: boolean
  readonly clock: Clock
  readonly random: Random
  /**
   * Moves what lies beside the store. Called when the target is known to be the right one, while the gateway runs, and
   * again when it is stopped; what fails there stops the move, and the source is as it was.
   */
  moveCompanions(): Promise<void>
  report(progress: MoveProgress): void
}

/** What was moved, or would be. */
export interface MoveReport extends BookCounts {
  readonly seconds: number
  /** The part of it for which the gateway had to be stopped. */
  readonly downtimeSeconds: number
}

/**
 * Moves a deployment from SQLite to PostgreSQL: first what never changes any more, while the gateway runs; when it is
 * stopped, the rest. An interrupted move goes on where it stopped.
 * @throws StoreUnavailable when PostgreSQL cannot be reached; BooksDiffer when the books do not agree; Error with what stands
 * in the way. Whatever is thrown, the source is as it was, or it is left and running this again ends the move.
 */
export async function moveToPostgres(options: MoveOptions): Promise<MoveReport> {
  const { clock, random, report } = options
  const startedMs = clock.monotonic()
  const source = await openSource(options.path)
  try {
    const target = await openTarget(options.url)
    try {
      const parts = { source, target, clock, random, report }
      const moved = options.dryRun ? await rehearsed(parts) : await carryOut(await beginMove(parts), options)
      return { ...moved, seconds: secondsSince(startedMs, clock) }
    } finally {
      await target.end()
    }
  } finally {
    source.close()
  }
}

/** While it waits: what is verified now need not be when no gateway runs. */
const verifyEveryMs = 30_000

async function rehearsed(parts: MoveParts): Promise<Omit<MoveReport, 'seconds'>> {
  return { ...(await rehearse(parts)), downtimeSeconds: 0 }
}

async function carryOut(
  move: Move,
  { path, waitMs, clock, moveCompanions }: MoveOptions,
): Promise<Omit<MoveReport, 'seconds'>> {
  let parts = await copyWhileRunning(move)
  await moveCompanions()
  let verifiedMs = clock.monotonic()
  const lock = await waitForGateway(path, {
    clock,
    waitMs,
    async whileWaiting(leftMs) {
      move.report({ step: 'waiting', seconds: Math.ceil(leftMs / 1_000) })
      await copySettled(move)
      if (clock.monotonic() - verifiedMs < verifyEveryMs) return
      parts = await verifySettled(move, parts)
      verifiedMs = clock.monotonic()
    },
  })
  const stoppedMs = clock.monotonic()
  const taken = takeSource(path, lock)
  try {
    await moveCompanions()
    const counts = await finishMove(move, taken, parts)
    return { ...counts, downtimeSeconds: secondsSince(stoppedMs, clock) }
  } finally {
    taken.release()
  }
}

function secondsSince(startedMs: number, clock: Clock): number {
  return Math.round(clock.monotonic() - startedMs) / 1_000
}
