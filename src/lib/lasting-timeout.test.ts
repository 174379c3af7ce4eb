import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { lastingTimeout } from './lasting-timeout.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Whether a signal that is made of a timeout and another one comes, though the garbage is collected before. */
async function comes(timeout: (ms: number) => AbortSignal): Promise<boolean> {
  const caller = new AbortController()
  let hasCome = false
  const listen = () => {
    const either = AbortSignal.any([caller.signal, timeout(200)])
    either.addEventListener('abort', () => {
      hasCome = true
    })
  }
  listen()
  for (let round = 0; round < 4; round += 1) {
    await sleep(20)
    collectGarbage()
  }
  await sleep(400)
  return hasCome
}

it('a timeout that only a signal of several holds comes, whatever is collected before', async () => {
  expect(await comes(lastingTimeout)).toBe(true)
})
