import { expect, it } from 'vitest'
import { restartDelayMs } from './restart-delay.ts'

it('doubles from a tenth of a second to ten seconds', () => {
  expect([1, 2, 3, 7, 8, 9, 5_000].map(restartDelayMs)).toEqual([100, 200, 400, 6_400, 10_000, 10_000, 10_000])
})
