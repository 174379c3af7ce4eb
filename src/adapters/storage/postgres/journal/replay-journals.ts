import { mkdir, readdir, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../../../core/logger.ts'
import { StoreUnavailable } from '../../../../core/store-error.ts'
import type { SettlementResult } from '../../../../domain/ledger/types.ts'
import type { PackedSettlement } from '../../groups/operations.ts'
import { readJournal } from './journal-file.ts'

const folderMode = 0o700
const fileSyntax = /^settlements-(proc_[0-9a-f]{24})\.journal$/
/** Files that one run looks at; the next run goes on. */
const filesMax = 64
const settledAtOnce = 256

/** Rejects with StoreUnavailable when it is not known whether it was taken; with anything else when it was refused. */
export type SettlePacked = (settlement: PackedSettlement) => Promise<SettlementResult>

export interface ReplayOptions {
  readonly folder: string
  /** This process, whose own file is left alone. */
  readonly processId: string
  readonly settle: SettlePacked
  /** Whether that process may still write to its file. */
  readonly isAlive: (processId: string) => Promise<boolean>
  readonly logger: Pick<Logger, 'warn' | 'error'>
}

export async function openJournalFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: folderMode })
}

export function journalPath(folder: string, processId: string): string {
  return join(folder, `settlements-${processId}.journal`)
}

export interface JournalReplay {
  /** @throws StoreUnavailable; what is wrong with a file is logged once and keeps nothing else from being done. */
  run(): Promise<void>
}

/**
 * Settles what processes on this data folder could not bring to the store before they ended. Settling is at most once, so
 * that doing it twice, or beside an owner that lives after all, changes nothing: the first run takes all files, to be before
 * those who resolve holds at their last marks; later ones take those of the dead. A file is removed when its owner is dead
 * and all of it is in the store; one with lines that cannot be settled is kept under another name for the operator.
 */
export function createJournalReplay(options: ReplayOptions): JournalReplay {
  const { folder, processId, isAlive, logger } = options
  const reported = new Set<string>()
  let isFirst = true

  async function consider(name: string): Promise<void> {
    const owner = fileSyntax.exec(name)?.[1]
    if (owner === undefined || owner === processId) return
    const alive = await isAlive(owner)
    if (!alive || isFirst) await replay(options, join(folder, name), !alive)
  }

  async function guarded(what: string, run: () => Promise<void>): Promise<void> {
    try {
      await run()
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      // Another process on the folder was quicker.
      if (hasCode(error, 'ENOENT') && what !== folder) return
      if (!reported.has(what)) logger.error('journal.refused', { error })
      reported.add(what)
    }
  }

  return {
    run: () =>
      guarded(folder, async () => {
        const names = (await readdir(folder)).filter(name => fileSyntax.test(name)).sort()
        for (const name of names.slice(0, filesMax)) await guarded(name, () => consider(name))
        isFirst = false
      }),
  }
}

async function replay({ settle, logger }: ReplayOptions, path: string, ended: boolean): Promise<void> {
  const { settlements, damaged, size } = await readJournal(path)
  const results: PromiseSettledResult<SettlementResult>[] = []
  for (let at = 0; at < settlements.length; at += settledAtOnce)
    results.push(...(await Promise.allSettled(settlements.slice(at, at + settledAtOnce).map(settle))))
  const failures = results.flatMap(result => (result.status === 'rejected' ? [result.reason as unknown] : []))
  const unknown = failures.find(error => error instanceof StoreUnavailable)
  if (unknown !== undefined) throw unknown
  const count = (effect: SettlementResult['effect']) =>
    results.filter(result => result.status === 'fulfilled' && result.value.effect === effect).length
  const booked = { settled: count('settled'), adjusted: count('adjusted'), already: count('already') }
  if (booked.settled + booked.adjusted > 0) logger.warn('journal.replayed', booked)
  // It grew while it was read: its owner lives after all.
  if (!ended || (await stat(path)).size !== size) return
  if (failures.length + damaged === 0) return await unlink(path)
  logger.error('journal.refused', { refused: failures.length, damaged, error: failures[0] })
  await rename(path, `${path}.refused`)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
