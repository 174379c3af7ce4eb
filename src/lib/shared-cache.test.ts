import { describe, expect, it } from 'vitest'
import { createSharedCache } from './shared-cache.ts'

/** Of eight entries and 80 characters in all, a quarter for each owner. */
const open = () =>
  createSharedCache<string>({ entriesMax: 8, sizeMax: 80, ownersMin: 4, sizeOf: (_, value) => value.length })

const found = (cache: ReturnType<typeof open>, owner: string, keys: readonly string[]) =>
  keys.filter(key => cache.of(owner).get(key, 0) !== undefined)

describe('a shared cache', () => {
  it('gives an owner what it set, until its time is over, and nothing of others', () => {
    const cache = open()
    cache.of('a').set('k', 'mine', 10)
    cache.of('b').set('k', 'other', 10)
    expect([cache.of('a').get('k', 9), cache.of('b').get('k', 9), cache.of('c').get('k', 9)]).toEqual([
      'mine',
      'other',
      undefined,
    ])
    expect(cache.of('a').get('k', 10)).toBeUndefined()
  })

  it('keeps what others set, however much one owner sets', () => {
    const cache = open()
    cache.of('quiet').set('k', 'x'.repeat(20), 1)
    const keys = Array.from({ length: 100 }, (_, at) => `${at}`)
    for (const key of keys) cache.of('busy').set(key, 'x'.repeat(1 + (Number(key) % 10)), 1)
    expect(found(cache, 'busy', keys)).toEqual(['98', '99'])
    expect(found(cache, 'quiet', ['k'])).toEqual(['k'])
  })

  it('drops what its owner used least lately, by number and by size', () => {
    const cache = open()
    for (const key of ['a', 'b']) cache.of('o').set(key, 'x', 1)
    cache.of('o').get('a', 0)
    cache.of('o').set('c', 'x', 1)
    expect(found(cache, 'o', ['a', 'b', 'c'])).toEqual(['a', 'c'])
    cache.of('o').set('d', 'x'.repeat(20), 1)
    expect(found(cache, 'o', ['a', 'b', 'c', 'd'])).toEqual(['d'])
    cache.of('o').set('e', 'x'.repeat(21), 1)
    expect(found(cache, 'o', ['d', 'e'])).toEqual(['d'])
  })

  it('drops what anybody used least lately when the whole is full', () => {
    const cache = open()
    const owners = ['a', 'b', 'c', 'd', 'e']
    for (const owner of owners) cache.of(owner).set('k', 'x'.repeat(20), 1)
    expect(owners.filter(owner => cache.of(owner).get('k', 0) !== undefined)).toEqual(['b', 'c', 'd', 'e'])
  })

  it('counts anew what is set again', () => {
    const cache = open()
    for (let turn = 0; turn < 10; turn++) cache.of('a').set('k', 'x'.repeat(15), 1)
    cache.of('a').set('l', 'x'.repeat(5), 1)
    expect(found(cache, 'a', ['k', 'l'])).toEqual(['k', 'l'])
  })

  it('gives what is for everybody all the room there is', () => {
    const cache = open()
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
    for (const key of keys) cache.of(null).set(key, 'v', 9)
    expect(keys.filter(key => cache.of(null).get(key, 0) === undefined)).toEqual(['a'])
    cache.of(null).set('large', 'x'.repeat(80), 9)
    expect(cache.of(null).get('large', 0)).toHaveLength(80)
    cache.of(null).set('larger', 'x'.repeat(81), 9)
    expect([cache.of(null).get('large', 0), cache.of(null).get('larger', 0)]).toEqual([expect.any(String), undefined])
  })

  it('keeps nothing when it is cleared, and has all its room again', () => {
    const cache = open()
    for (const key of ['k', 'l']) cache.of('a').set(key, 'x'.repeat(10), 9)
    cache.clear()
    expect(found(cache, 'a', ['k', 'l'])).toEqual([])
    for (const key of ['m', 'n']) cache.of('a').set(key, 'x'.repeat(10), 9)
    expect(found(cache, 'a', ['m', 'n'])).toEqual(['m', 'n'])
  })
})
