import { afterEach, expect, it, vi } from 'vitest'
import { armedFailpoint, armFailpoint, failpoint } from './failpoint.ts'

const kill = vi.spyOn(process, 'kill').mockReturnValue(true)

afterEach(() => {
  armFailpoint(null)
  kill.mockClear()
})

it('does nothing while no place is armed', () => {
  failpoint('settle.in_tx')
  expect(armedFailpoint()).toBeNull()
  expect(kill).not.toHaveBeenCalled()
})

it('kills the process without mercy at the n-th arrival at the armed place, and at no other', () => {
  armFailpoint({ name: 'settle.in_tx', nth: 2 })
  failpoint('settle.before_tx')
  failpoint('settle.in_tx')
  expect(kill).not.toHaveBeenCalled()
  failpoint('settle.in_tx')
  failpoint('settle.in_tx')
  expect(kill.mock.calls).toEqual([[process.pid, 'SIGKILL']])
})

it('counts anew when it is armed anew', () => {
  armFailpoint({ name: 'drain.start', nth: 2 })
  failpoint('drain.start')
  armFailpoint({ name: 'drain.start', nth: 2 })
  failpoint('drain.start')
  expect(kill).not.toHaveBeenCalled()
})
