import type { MoveProgress } from '../../app.ts'
import type { Clock } from '../../core/clock.ts'
import { note } from '../output.ts'

/** Seldom enough to be read, often enough to see that it goes on. */
const everyMs = 3_000

/** Says on stderr where a move is. */
export function createProgressNotes(clock: Pick<Clock, 'monotonic'>): (progress: MoveProgress) => void {
  let step: MoveProgress['step'] | null = null
  let quietUntilMs = 0
  return progress => {
    // The little that is copied while it waits is not worth a line.
    if (progress.step === 'copying' && step === 'waiting') return
    const isNew = progress.step !== step
    const nowMs = clock.monotonic()
    if (!isNew && nowMs < quietUntilMs) return
    quietUntilMs = nowMs + everyMs
    step = progress.step
    note(textOf(progress, isNew))
  }
}

function textOf(progress: MoveProgress, isNew: boolean): string {
  switch (progress.step) {
    case 'copying':
      return `  ${progress.table}: ${progress.rows} of ${progress.of}`
    case 'waiting':
      return isNew
        ? `Stop the gateway now (SIGTERM), and do not start it again. Waiting for it up to ${progress.seconds} s.`
        : `  it still runs; ${progress.seconds} s left`
    case 'finishing':
      return 'No gateway runs on the SQLite store. Copying the rest.'
    case 'verifying':
      return 'Verifying the books.'
  }
}
