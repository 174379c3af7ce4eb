import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { buildKey, buildRequest, buildSettlement } from '../../../../../test/conformance/builders.ts'
import { MemoryLogger } from '../../../../../test/support/memory-logger.ts'
import { waitFor } from '../../../../../test/support/wait-for.ts'
import { StoreUnavailable } from '../../../../core/store-error.ts'
import type { SettlementResult } from '../../../../domain/ledger/types.ts'
import { createJournalFile, type JournalFile, journalBytesMax, readJournal } from './journal-file.ts'
import { createSettlementJournal } from './settlement-journal.ts'

let path: string
let logger: MemoryLogger
let nowMs: number

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  path = join(folder, 'settlements.journal')
  logger = new MemoryLogger()
  nowMs = 0
})

interface Pending {
  readonly holdId: string
  succeed(): void
  fail(error: Error): void
}

function open(file: JournalFile = createJournalFile(path)) {
  const journal = createSettlementJournal({ file, clock: { monotonic: () => nowMs }, logger })
  onTestFinished(() => journal.close())
  return {
    ...journal,
    settle(): Pending {
      const settlement = buildSettlement(buildRequest(buildKey('acc_a')), 5n)
      let answer: Pick<Pending, 'succeed' | 'fail'> | undefined
      const settled = new Promise<SettlementResult>((resolve, reject) => {
        answer = { succeed: () => resolve({ effect: 'settled', chargedNano: 5n, paid: null, lines: [] }), fail: reject }
      })
      // A settlement that fails is what some tests are about; the journal itself is what all of them look at.
      journal.cover(settlement, settled).catch(() => undefined)
      return { holdId: settlement.holdId, succeed: () => answer?.succeed(), fail: error => answer?.fail(error) }
    },
  }
}

const holdsWritten = async () => (await readJournal(path)).settlements.map(({ holdId }) => holdId)

describe('the journal of settlements', () => {
  it('writes nothing that is durable in the store within a second', async () => {
    const journal = open()
    for (let count = 0; count < 100; count += 1) journal.settle().succeed()
    nowMs = 10_000
    await new Promise(resolve => setTimeout(resolve, 400))
    expect(existsSync(path)).toBe(false)
    expect(logger.lines).toEqual([])
  })

  it('writes what waits longer, once, and removes the file with the last of it', async () => {
    const journal = open()
    const [first, second] = [journal.settle(), journal.settle()]
    nowMs = 1_000
    await waitFor('the file', () => existsSync(path))
    const third = journal.settle()
    nowMs = 2_000
    await waitFor('the third', async () => (await holdsWritten()).length === 3)
    expect(await holdsWritten()).toEqual([first.holdId, second.holdId, third.holdId])
    for (const pending of [first, second, third]) pending.succeed()
    await waitFor('the file to be gone', () => !existsSync(path))
    expect(logger.events()).toEqual(['journal.begun'])
  })

  it('keeps what a closed store did not take, and forgets what the store refused', async () => {
    const journal = open()
    const [untaken, refused] = [journal.settle(), journal.settle()]
    await journal.flush()
    refused.fail(new RangeError('no such hold'))
    untaken.fail(new StoreUnavailable('the store is closed'))
    await journal.close()
    expect(await holdsWritten()).toContain(untaken.holdId)
    expect(logger.lines.at(-1)).toMatchObject({ event: 'journal.kept', fields: { settlements: 1 } })
  })

  it('goes on when the disk takes nothing for a while, and says so once', async () => {
    const real = createJournalFile(path)
    let isFull = true
    const file: JournalFile = {
      get size() {
        return real.size
      },
      append: lines => (isFull ? Promise.reject(new Error('ENOSPC')) : real.append(lines)),
      replace: lines => real.replace(lines),
      remove: () => real.remove(),
    }
    const journal = open(file)
    const pending = journal.settle()
    for (let count = 0; count < 3; count += 1) await journal.flush()
    expect(logger.events('error')).toEqual(['journal.write_failed'])
    isFull = false
    await journal.flush()
    expect(await holdsWritten()).toEqual([pending.holdId])
  })

  it('has a bound, and says when it is reached', async () => {
    const real = createJournalFile(path)
    const journal = open({ ...real, size: journalBytesMax, append: lines => real.append(lines) })
    journal.settle()
    await journal.flush()
    expect(existsSync(path)).toBe(false)
    expect(logger.lines).toMatchObject([{ level: 'error', event: 'journal.write_failed' }])
  })

  it('stays small while the store is slow for long', async () => {
    const journal = open()
    const kept = journal.settle()
    for (let round = 0; round < 12; round += 1) {
      const pending = Array.from({ length: 1_000 }, () => journal.settle())
      await journal.flush()
      for (const { succeed } of pending) succeed()
    }
    await journal.flush()
    expect(statSync(path).size).toBeLessThan(6_000_000)
    expect(await holdsWritten()).toContain(kept.holdId)
  })
})

describe('a journal that is read', () => {
  it('ends before a line that was not written whole, which is no damage', async () => {
    const journal = open()
    const pending = journal.settle()
    await journal.flush()
    appendFileSync(path, readFileSync(path).subarray(0, 40))
    expect(await readJournal(path)).toMatchObject({ settlements: [{ holdId: pending.holdId }], damaged: 0 })
  })

  it('tells of damage, and reads what is around it', async () => {
    const journal = open()
    const first = journal.settle()
    await journal.flush()
    appendFileSync(path, 'half a li\n')
    const second = journal.settle()
    await journal.flush()
    const { settlements, damaged } = await readJournal(path)
    expect(settlements.map(({ holdId }) => holdId)).toEqual([first.holdId, second.holdId])
    expect(damaged).toBe(1)
  })
})
