import type { MoveProgress } from '../../../src/adapters/storage/move/move.ts'
import { type MoveReport, moveToPostgres } from '../../../src/adapters/storage/move/move-to-postgres.ts'
import { systemClock } from '../../../src/adapters/system/system-clock.ts'
import { Secret } from '../../../src/lib/secret.ts'
import { random } from '../../conformance/builders.ts'

export interface MoveCall {
  readonly path: string
  readonly url: string
  readonly waitMs?: number
  readonly dryRun?: boolean
  /** Runs when it asks for the gateway to be stopped, which this has to do. */
  readonly whenAsked?: () => Promise<void>
}

/** The move itself, without a process of its own around it. */
export async function move({ path, url, waitMs = 20_000, dryRun = false, whenAsked }: MoveCall): Promise<MoveReport> {
  let asked: Promise<void> | undefined
  function report({ step }: MoveProgress): void {
    if (step === 'waiting') asked ??= whenAsked?.()
  }
  const moveCompanions = () => Promise.resolve()
  const options = { path, url: new Secret(url), waitMs, dryRun, clock: systemClock, random, report, moveCompanions }
  try {
    return await moveToPostgres(options)
  } finally {
    await asked
  }
}
