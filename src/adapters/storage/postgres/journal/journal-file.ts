import { type FileHandle, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PackedSettlement } from '../../groups/operations.ts'
import { decodeLine } from './journal-line.ts'

const ownerOnly = 0o600
/** Some ten thousand settlements: more than can have been running when the store went away. */
export const journalBytesMax = 67_108_864

/** A file that grows by whole lines. Nothing is acknowledged before the disk has it. */
export interface JournalFile {
  /** Bytes in it; 0 when there is none. */
  readonly size: number
  append(lines: Buffer): Promise<void>
  /** Puts these lines in the place of all that is there, at one moment. */
  replace(lines: Buffer): Promise<void>
  remove(): Promise<void>
}

/**
 * The file is made with the first line and is opened for each write: another process that took over its lines may have
 * removed it meanwhile.
 */
export function createJournalFile(path: string): JournalFile {
  let size = 0
  /** After a write that failed there may be half a line at the end. */
  let torn = false
  return {
    get size() {
      return size
    },
    async append(lines) {
      const bytes = torn ? Buffer.concat([Buffer.from('\n'), lines]) : lines
      torn = true
      await write(path, 'a', bytes)
      torn = false
      size += bytes.length
    },
    async replace(lines) {
      const aside = `${path}.new`
      await write(aside, 'w', lines)
      await rename(aside, path)
      await syncFolder(path)
      torn = false
      size = lines.length
    },
    async remove() {
      if (size === 0) return
      await unlink(path).catch(whenMissing)
      size = 0
    },
  }
}

async function write(path: string, flags: 'a' | 'w', bytes: Buffer): Promise<void> {
  const file = await open(path, flags, ownerOnly)
  try {
    const isNew = (await file.stat()).size === 0
    await file.writeFile(bytes)
    await file.sync()
    if (isNew) await syncFolder(path)
  } finally {
    await file.close()
  }
}

/** The name of a new file is durable when its folder is. */
async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle | undefined
  try {
    folder = await open(dirname(path))
    await folder.sync()
  } finally {
    await folder?.close()
  }
}

export interface JournalContent {
  readonly settlements: readonly PackedSettlement[]
  /** Lines that cannot be read, but for a last one that was not written whole: that one was never acknowledged. */
  readonly damaged: number
  readonly size: number
}

/** @throws Error when the file is longer than a journal becomes. */
export async function readJournal(path: string): Promise<JournalContent> {
  if ((await stat(path)).size > journalBytesMax) throw new Error('the journal is longer than it can have become')
  const bytes = await readFile(path)
  const lines = bytes.toString('utf8').split('\n')
  const last = lines.pop() ?? ''
  const whole = lines.filter(line => line !== '').map(decodeLine)
  const settlements = [...whole, decodeLine(last)].filter(settlement => settlement !== null)
  return { settlements, damaged: whole.filter(settlement => settlement === null).length, size: bytes.length }
}

function whenMissing(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
  throw error
}
