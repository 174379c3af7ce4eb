import type { Clock } from '../../../../core/clock.ts'
import type { Logger } from '../../../../core/logger.ts'
import { StoreUnavailable } from '../../../../core/store-error.ts'
import type { Settlement, SettlementResult } from '../../../../domain/ledger/types.ts'
import { packSettlement } from '../../groups/money-store.ts'
import { type JournalFile, journalBytesMax } from './journal-file.ts'
import { encodeLine } from './journal-line.ts'

/**
 * Keeps settlements on this machine's disk while the store cannot take them, so that they outlive the process: its holds
 * would be resolved at their last marks, and the rest would be lost.
 */
export interface SettlementJournal {
  /** Watches over a settlement that is on its way to the store, and gives back its promise. */
  cover(settlement: Settlement, settled: Promise<SettlementResult>): Promise<SettlementResult>
  /** Writes what is not durable yet, however young, because the process ends. */
  flush(): Promise<void>
  /** Waits for what is being written. */
  close(): Promise<void>
}

export interface SettlementJournalOptions {
  readonly file: JournalFile
  readonly clock: Pick<Clock, 'monotonic'>
  readonly logger: Pick<Logger, 'warn' | 'error'>
}

interface Entry {
  readonly settlement: Settlement
  readonly sinceMs: number
  /** Null until it is in the file. */
  line: Buffer | null
}

/** An ordinary settlement is durable in the store in a few milliseconds and is never written here. */
const youngMs = 1_000
const lookEveryMs = 250
/** A file that is mostly done with is written anew from here on. */
const compactBytes = 4_194_304

export function createSettlementJournal({ file, clock, logger }: SettlementJournalOptions): SettlementJournal {
  const open = new Set<Entry>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()
  let troubled = false
  let closed = false

  function plan(): void {
    if (timer !== null || closed || open.size === 0) return
    timer = setTimeout(look, lookEveryMs)
    timer.unref()
  }

  function look(): void {
    const dueMs = clock.monotonic() - youngMs
    writing = writing.then(() => write(entry => entry.sinceMs <= dueMs))
    void writing.then(() => {
      timer = null
      plan()
    })
  }

  async function write(isDue: (entry: Entry) => boolean): Promise<void> {
    const due = [...open].filter(entry => entry.line === null && isDue(entry))
    const lines = due.map(({ settlement }) => encodeLine(packSettlement(settlement)))
    try {
      await tidy()
      if (due.length === 0) return
      const bytes = Buffer.concat(lines)
      if (file.size + bytes.length > journalBytesMax) throw new Error(`it is full: ${journalBytesMax} bytes`)
      if (file.size === 0) logger.warn('journal.begun')
      await file.append(bytes)
      for (const [index, entry] of due.entries()) entry.line = lines[index] ?? null
      if (open.size === 0) await file.remove()
      troubled = false
    } catch (error) {
      if (!troubled) logger.error('journal.write_failed', { error })
      troubled = true
    }
  }

  /** Removes the file when nothing in it is needed, and makes it small when most of it is not. */
  async function tidy(): Promise<void> {
    const needed = [...open].flatMap(({ line }) => (line === null ? [] : [line]))
    const bytes = needed.reduce((sum, line) => sum + line.length, 0)
    if (bytes === 0) await file.remove()
    else if (file.size > compactBytes && bytes < file.size / 2) await file.replace(Buffer.concat(needed))
  }

  function end(entry: Entry): void {
    open.delete(entry)
    if (entry.line !== null && open.size === 0) writing = writing.then(() => write(() => false))
  }

  return {
    cover(settlement, settled) {
      const entry: Entry = { settlement, sinceMs: clock.monotonic(), line: null }
      open.add(entry)
      plan()
      settled.then(
        () => end(entry),
        (error: unknown) => {
          // A store that was closed has not taken it: the next start does.
          if (!(error instanceof StoreUnavailable)) end(entry)
        },
      )
      return settled
    },
    flush() {
      writing = writing.then(() => write(() => true))
      return writing
    },
    async close() {
      closed = true
      if (timer !== null) clearTimeout(timer)
      await writing
      if (open.size > 0) logger.error('journal.kept', { settlements: open.size })
    },
  }
}
