import { describe, expect, it } from 'vitest'
import { findAddresses } from './find-addresses.ts'

describe('addresses in a message', () => {
  it.each([
    ['a sentence', 'See http://a.example/x, please.', ['http://a.example/x']],
    ['brackets', '(as in http://a.example/x_(y)).', ['http://a.example/x_(y)']],
    ['Markdown', '[a](http://a.example/x) **http://b.example/**', ['http://a.example/x', 'http://b.example/']],
    ['a link that names itself', '[http://a.example](http://b.example/)', ['http://b.example/']],
    ['an address twice', 'http://a.example/ http://a.example/', ['http://a.example/']],
    ['places within a page', 'http://a.example/x#1 http://a.example/x#2', ['http://a.example/x#1']],
    ['marks alone', 'http://... https://)))', []],
  ])('are found in %s', (_, text, found) => {
    expect(findAddresses(text, 5)).toEqual(found)
  })

  it.each([
    ['closing brackets', `${')'.repeat(2_030)} http://`],
    ['addresses in addresses', 'http://'],
    ['marks', `http://${'.'.repeat(2_000)}x `],
    ['brackets and marks in turn', `http://[${').'.repeat(1_000)} `],
  ])('take linear time in a text of %s', (_, piece) => {
    const text = piece.repeat(Math.ceil(2_000_000 / piece.length))
    const startedMs = performance.now()
    findAddresses(text, 5)
    expect(performance.now() - startedMs).toBeLessThan(1_000)
  })
})
