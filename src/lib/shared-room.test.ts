import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSharedRoom } from './shared-room.ts'

describe('a room that owners share', () => {
  it('gives three quarters to whoever is alone, and not a byte more', () => {
    const room = createSharedRoom(100).of('a')
    expect([room.take(76), room.take(75), room.take(1)]).toEqual([false, true, false])
  })

  it('counts all that an owner takes together', () => {
    const shared = createSharedRoom(100)
    expect(shared.of('a').take(75)).toBe(true)
    expect(shared.of('a').take(1)).toBe(false)
  })

  it('has some left for the next one, however many have taken all that they can', () => {
    const shared = createSharedRoom(1_000_000)
    for (const owner of ['a', 'b', 'c', 'd']) {
      const room = shared.of(owner)
      expect(room.take(1_000)).toBe(true)
      while (room.take(100));
    }
    expect(shared.of('e').take(1_000)).toBe(true)
  })

  it('never gives out more than there is, and has all of it again when everything came back', () => {
    const step = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(60))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const shared = createSharedRoom(100)
        const given = steps.filter(([owner, bytes]) => shared.of(owner).take(bytes))
        expect(given.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThanOrEqual(100)
        for (const [owner, bytes] of given) shared.of(owner).giveBack(bytes)
        expect(shared.of('d').take(75)).toBe(true)
      }),
    )
  })
})
