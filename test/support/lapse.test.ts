import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { countCpuMs, quickestMs, stretched } from './lapse.ts'
import { waitFor } from './wait-for.ts'

test('time of a processor grows with work, and not while nothing is done', async () => {
  const idleMs = countCpuMs()
  await sleep(300)
  expect(idleMs()).toBeLessThan(150)
  const workMs = countCpuMs()
  while (workMs() < 100) Math.sqrt(workMs())
  expect(workMs()).toBeGreaterThanOrEqual(100)
})

test('the quickest of several times is that of the one that was not late, and a wait in each of them is seen', async () => {
  const delaysMs = [200, 0, 200]
  expect(await quickestMs(() => sleep(delaysMs.pop()))).toBeLessThan(150)
  expect(await quickestMs(() => sleep(200))).toBeGreaterThan(190)
})

test('a promised time is never less than what was promised, and grows while others want the processor', async () => {
  const alone = stretched(100)
  expect(alone).toBeGreaterThanOrEqual(100)
  const rivals = Array.from({ length: 4 * availableParallelism() }, () =>
    spawn(process.execPath, ['--eval', 'for (const end = Date.now() + 60_000; Date.now() < end; );'], {
      stdio: 'ignore',
    }),
  )
  onTestFinished(() => {
    for (const rival of rivals) rival.kill('SIGKILL')
  })
  await waitFor('the machine to be busy', () => stretched(100) > 200)
})
