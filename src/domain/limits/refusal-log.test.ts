import { expect, test } from 'vitest'
import { MemoryLogger } from '../../../test/support/memory-logger.ts'
import { createRefusalLog } from './refusal-log.ts'
import type { RateRefusal } from './types.ts'

function refusal(accountId: string, atMs: number): RateRefusal {
  return { accountId, keyId: 'key_1', model: 'm', rate: 'requests', atMs }
}

function setUp(add?: () => Promise<void>) {
  const stored: (readonly RateRefusal[])[] = []
  const tasks: (() => void)[] = []
  const logger = new MemoryLogger()
  const log = createRefusalLog({
    store: {
      add: add ?? (async refusals => void stored.push(refusals)),
      list: async accountId => stored.flat().filter(stands => stands.accountId === accountId),
    },
    timers: {
      after(_, task) {
        tasks.push(task)
        return () => void tasks.splice(tasks.indexOf(task), 1)
      },
    },
    logger,
  })
  return { log, stored, tasks, lines: logger.lines }
}

test('refusals are stored together, a second after the first of them', () => {
  const { log, stored, tasks } = setUp()
  log.note(refusal('acc_1', 1))
  log.note(refusal('acc_2', 2))
  expect([stored.length, tasks.length]).toEqual([0, 1])
  tasks[0]?.()
  expect(stored).toEqual([[refusal('acc_1', 1), refusal('acc_2', 2)]])
  expect(tasks).toEqual([])
  log.note(refusal('acc_1', 3))
  expect(tasks).toHaveLength(1)
})

test('whoever asks for the list sees what was noted a moment ago', async () => {
  const { log, tasks } = setUp()
  log.note(refusal('acc_1', 1))
  expect(await log.list('acc_1')).toEqual([refusal('acc_1', 1)])
  expect(tasks).toEqual([])
})

test('of one account the newest fifty wait, of all of them five hundred', async () => {
  const { log, stored } = setUp()
  for (let atMs = 0; atMs < 60; atMs += 1) log.note(refusal('acc_1', atMs))
  for (let account = 0; account < 600; account += 1) log.note(refusal(`acc_other_${account}`, 0))
  log.note(refusal('acc_1', 60))
  await log.close()
  const own = stored.flat().filter(({ accountId }) => accountId === 'acc_1')
  expect(own.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 50 }, (_, index) => index + 11))
  expect(stored.flat()).toHaveLength(500)
})

test('a store that takes none costs nobody an answer, and the log says what was lost', async () => {
  const { log, lines } = setUp(() => Promise.reject(new Error('down')))
  log.note(refusal('acc_1', 1))
  await log.close()
  expect(lines).toMatchObject([{ level: 'warn', event: 'limits.refusals_lost', fields: { count: 1 } }])
})
