import { createFault } from '../../../domain/engines/create-fault.ts'
import type { Magic } from './magic-inputs.ts'
import type { Pace } from './pace.ts'

export interface Progress {
  /** Pieces of text that have been sent, of all choices together. */
  readonly sent: number
  /** All text has been sent; only the finish is missing. */
  readonly isOver: boolean
}

/**
 * Fails in the way that a magic input wants here. What is wanted after more pieces than the answer has comes before its
 * finish, so that it always comes. @throws EngineFault
 */
export async function breakOff(
  magic: Magic,
  { sent, isOver }: Progress,
  { pace, idleMs }: { readonly pace: Pace; readonly idleMs: number },
): Promise<void> {
  const isDue = (after: number | undefined) => after !== undefined && (sent >= after || isOver)
  if (isDue(magic['reset-after'])) throw createFault('reset')
  if (isDue(magic['error-after'])) throw createFault('bad_answer', { message: 'the stream carries an error' })
  if (isDue(magic['hang-after'])) await pace.wait(Number.POSITIVE_INFINITY, { ms: idleMs, kind: 'idle_timeout' })
}
