import { describe, expect, it } from 'vitest'
import { createSingleFlight } from './single-flight.ts'

function createWork() {
  const begun: { resolve: (value: number) => void; reject: (error: Error) => void }[] = []
  return {
    begun,
    work: (): Promise<number> => new Promise((resolve, reject) => begun.push({ resolve, reject })),
    finish: (value: number): void => begun.at(-1)?.resolve(value),
    fail: (error: Error): void => begun.at(-1)?.reject(error),
  }
}

describe('createSingleFlight', () => {
  it('runs the work once for all who ask while it runs', async () => {
    const flights = createSingleFlight<string, number>({ flightsMax: 10 })
    const { begun, work, finish } = createWork()
    const asked = [flights.run('a', work), flights.run('a', work), flights.run('a', work)]
    expect([begun.length, flights.size]).toEqual([1, 1])
    finish(7)
    expect(await Promise.all(asked)).toEqual([7, 7, 7])
    expect(flights.size).toBe(0)
  })

  it('begins anew once the work has ended, right after it ended', async () => {
    const flights = createSingleFlight<string, number>({ flightsMax: 10 })
    const { work, finish } = createWork()
    const again = flights.run('a', work).then(() => flights.run('a', async () => 8))
    finish(7)
    expect(await again).toBe(8)
  })

  it('gives everybody the same error and keeps none', async () => {
    const flights = createSingleFlight<string, number>({ flightsMax: 10 })
    const { work, fail } = createWork()
    const asked = [flights.run('a', work), flights.run('a', work)]
    fail(new Error('broken'))
    const results = await Promise.allSettled(asked)
    expect(results.map(result => result.status)).toEqual(['rejected', 'rejected'])
    expect(await flights.run('a', async () => 1)).toBe(1)
  })

  it('turns work that throws at once into a rejection that is not kept', async () => {
    const flights = createSingleFlight<string, number>({ flightsMax: 10 })
    const throwing = (): Promise<number> => {
      throw new Error('at once')
    }
    await expect(flights.run('a', throwing)).rejects.toThrow('at once')
    expect(flights.size).toBe(0)
  })

  it('runs different keys side by side, and beyond its bound without sharing', async () => {
    const flights = createSingleFlight<string, number>({ flightsMax: 1 })
    const first = createWork()
    const second = createWork()
    const asked = [flights.run('a', first.work), flights.run('b', second.work), flights.run('b', second.work)]
    expect([first.begun.length, second.begun.length, flights.size]).toEqual([1, 2, 1])
    first.finish(1)
    second.finish(2)
    expect(await Promise.all([asked[0], asked[2]])).toEqual([1, 2])
  })
})
