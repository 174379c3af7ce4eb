import { describe, expect, it } from 'vitest'
import type { DocumentReading } from '../../core/document-reader.ts'
import { createReadingCache } from './reading-cache.ts'

function textOf(length: number): DocumentReading {
  return { kind: 'text', text: 'x'.repeat(length), mediaType: 'text/plain', pages: null, truncated: false }
}

const of = (accountId: string, key = 'a') => ({ accountId, key })

describe('the cache of readings', () => {
  it('finds what was set for an account, until ten minutes are over', () => {
    const cache = createReadingCache()
    cache.set(of('first'), textOf(1), 0)
    expect(cache.get(of('first'), 599_999)).toEqual(textOf(1))
    expect(cache.get(of('first'), 600_000)).toBeUndefined()
    expect(cache.get(of('first', 'b'), 0)).toBeUndefined()
    expect(cache.get(of('second'), 0)).toBeUndefined()
  })

  it('holds 32 million characters, and drops what was not used for the longest time', () => {
    const cache = createReadingCache()
    const accounts = ['1', '2', '3', '4', '5', '6']
    for (const account of accounts.slice(0, 5)) cache.set(of(account), textOf(6_600_000), 0)
    cache.get(of('1'), 1)
    cache.set(of('6'), textOf(6_600_000), 2)
    expect(accounts.filter(account => cache.get(of(account), 3) !== undefined)).toEqual(['1', '3', '4', '5', '6'])
  })

  it('holds a quarter of them for one account, which pushes out nothing of others', () => {
    const cache = createReadingCache()
    cache.set(of('quiet'), textOf(8_000_000), 0)
    const keys = Array.from({ length: 20 }, (_, at) => `${at}`)
    for (const key of keys) cache.set(of('busy', key), textOf(2_000_000), 0)
    expect(keys.filter(key => cache.get(of('busy', key), 1) !== undefined)).toEqual(['16', '17', '18', '19'])
    expect(cache.get(of('quiet'), 1)).toBeDefined()
  })

  it('holds 65,536 readings, a quarter of them for one account, however short they are', () => {
    const cache = createReadingCache()
    const empty = textOf(0)
    for (let at = 0; at <= 65_536; at += 1) cache.set(of(`${at % 4}`, `${at}`), empty, 0)
    expect(cache.get(of('0', '0'), 1)).toBeUndefined()
    for (const at of [1, 2, 65_536]) expect(cache.get(of(`${at % 4}`, `${at}`), 1)).toBe(empty)
    for (const key of ['x', 'y']) cache.set(of('1', key), empty, 0)
    expect([5, 9, 13].map(at => cache.get(of('1', `${at}`), 1) !== undefined)).toEqual([false, false, true])
  })

  it('counts what its keys take', () => {
    const cache = createReadingCache()
    const key = (number: number) => `${number}${'k'.repeat(3_000_000)}`
    for (let number = 0; number < 4; number += 1) cache.set(of('a', key(number)), textOf(1), 0)
    expect([0, 1, 2, 3].map(number => cache.get(of('a', key(number)), 1) !== undefined)).toEqual([
      ...[false, false],
      ...[true, true],
    ])
  })

  it('holds nothing that is larger than the share of its account', () => {
    const cache = createReadingCache()
    cache.set(of('a'), textOf(9_000_000), 0)
    expect(cache.get(of('a'), 0)).toBeUndefined()
  })
})
