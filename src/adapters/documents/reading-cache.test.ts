import { describe, expect, it } from 'vitest'
import type { DocumentReading } from '../../core/document-reader.ts'
import { createReadingCache } from './reading-cache.ts'

function textOf(length: number): DocumentReading {
  return { kind: 'text', text: 'x'.repeat(length), mediaType: 'text/plain', pages: null, truncated: false }
}

describe('the cache of readings', () => {
  it('finds what was set, until ten minutes are over', () => {
    const cache = createReadingCache()
    cache.set('a', textOf(1), 0)
    expect(cache.get('a', 599_999)).toEqual(textOf(1))
    expect(cache.get('a', 600_000)).toBeUndefined()
    expect(cache.get('b', 0)).toBeUndefined()
  })

  it('holds 32 million characters, and drops what was not used for the longest time', () => {
    const cache = createReadingCache()
    const third = 11_000_000
    for (const key of ['a', 'b', 'c']) cache.set(key, textOf(third), 0)
    cache.get('a', 1)
    cache.set('d', textOf(third), 2)
    expect(['a', 'b', 'c', 'd'].map(key => cache.get(key, 3) !== undefined)).toEqual([true, false, true, true])
  })

  it('holds 65,536 readings, however short they are', () => {
    const cache = createReadingCache()
    const empty = textOf(0)
    for (let at = 0; at <= 65_536; at += 1) cache.set(`${at}`, empty, 0)
    expect(cache.get('0', 1)).toBeUndefined()
    for (const key of ['1', '2', '65536']) expect(cache.get(key, 1)).toBe(empty)
  })

  it('counts what its keys take', () => {
    const cache = createReadingCache()
    const key = (number: number) => `${number}${'k'.repeat(10_000_000)}`
    for (let number = 0; number < 5; number += 1) cache.set(key(number), textOf(1), 0)
    expect([0, 1, 2, 3, 4].map(number => cache.get(key(number), 1) !== undefined)).toEqual([
      ...[false, false],
      ...[true, true, true],
    ])
  })

  it('holds nothing that is larger than all of it', () => {
    const cache = createReadingCache()
    cache.set('a', textOf(40_000_000), 0)
    expect(cache.get('a', 0)).toBeUndefined()
  })
})
