import { BooksDiffer } from '../adapters/storage/move/books-differ.ts'
import type { MoveProgress } from '../adapters/storage/move/move.ts'
import { moveToPostgres, type MoveReport as StoreMoveReport } from '../adapters/storage/move/move-to-postgres.ts'
import { undoMove } from '../adapters/storage/move/undo-move.ts'
import type { Secret } from '../lib/secret.ts'
import { copyIndex, countDocuments } from '../pipeline/copy-index.ts'
import type { Ground } from './ground.ts'
import { openIndex } from './open-index.ts'

export type { MoveProgress }

/** What was moved, or would be. */
export interface MoveReport extends StoreMoveReport {
  /** Of the search index. */
  readonly documents: number
}
export { BooksDiffer }

/** From where to where. */
export interface MovePlaces {
  readonly path: string
  readonly url: Secret
}

export interface MoveOrder extends MovePlaces {
  readonly waitMs: number
  readonly dryRun: boolean
  report(progress: MoveProgress): void
}

/** Moves the store, and with it the search index that lies beside it. */
export async function moveDeployment(order: MoveOrder, { clock, random }: Ground): Promise<MoveReport> {
  const source = await openIndex({ store: { kind: 'sqlite', path: order.path } })
  const target = await openIndex({ store: { kind: 'postgres', url: order.url } })
  let documents = 0
  const moveCompanions = async () => {
    documents = await copyIndex(source, target)
  }
  try {
    const moved = await moveToPostgres({ ...order, clock, random, moveCompanions })
    return { ...moved, documents: order.dryRun ? await countDocuments(source) : documents }
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}

export function undoDeploymentMove(
  places: MovePlaces & { readonly discard: boolean },
  { clock }: Ground,
): Promise<void> {
  return undoMove({ ...places, clock })
}
