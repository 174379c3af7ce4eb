import { expect, test } from 'vitest'
import { waitFor } from './wait-for.ts'

test('waitFor returns the first truthy value, also of an asynchronous probe', async () => {
  let count = 0
  const value = await waitFor('three', async () => {
    count += 1
    return count === 3 && 'three'
  })
  expect([value, count]).toEqual(['three', 3])
})

test('waitFor gives up in time and says what it waited for', async () => {
  await expect(waitFor('the moon', () => 0, { withinMs: 30 })).rejects.toThrow(
    'waited 30 ms for the moon; the last value was 0',
  )
})

test('waitFor passes on what the probe throws', async () => {
  const probe = () => {
    throw new Error('broken probe')
  }
  await expect(waitFor('anything', probe)).rejects.toThrow('broken probe')
})
