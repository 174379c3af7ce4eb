import { afterEach, expect, it, vi } from 'vitest'
import { createLazyChannel } from './lazy-channel.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('opens when it is used, stays while it is used, and closes when it was idle for half a minute', async () => {
  vi.useFakeTimers()
  const events: string[] = []
  const channel = createLazyChannel(async () => {
    events.push('open')
    return {
      run: async () => [{ value: events.push('run') }],
      close: async () => void events.push('close'),
    }
  })
  expect(events).toEqual([])
  await channel.run([])
  await vi.advanceTimersByTimeAsync(29_000)
  await channel.run([])
  await vi.advanceTimersByTimeAsync(29_000)
  expect(events).toEqual(['open', 'run', 'run'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(events).toEqual(['open', 'run', 'run', 'close'])
  await channel.run([])
  await channel.close()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(events).toEqual(['open', 'run', 'run', 'close', 'open', 'run', 'close'])
})
