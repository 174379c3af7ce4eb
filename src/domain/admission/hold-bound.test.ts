import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PromptSize } from '../../core/completion-request.ts'
import { chargePerMillion } from '../../core/money.ts'
import { holdBound } from './hold-bound.ts'

const prices = {
  version: 'price-1',
  inputNanoPerMillion: 250_000_000n,
  outputNanoPerMillion: 1_000_000_000n,
  cacheReadNanoPerMillion: 50_000_000n,
  cacheWriteNanoPerMillion: 300_000_000n,
  searchNano: 10_000_000n,
  pageNano: 20_000_000n,
}
const mediaCosts = {
  image: { tilePx: 28, tokensPerTile: 2, baseTokens: 80, maxTokens: 9_000 },
  audioTokensPerSecond: 64,
  videoTokensPerSecond: 1_024,
}
const model = { contextTokens: 131_072, prices, mediaCosts }
const text: PromptSize = {
  boundBytes: 500,
  characters: 480,
  messages: 2,
  images: 0,
  imageSizes: [],
  audioSeconds: 0,
  videoSeconds: 0,
}

describe('the bound of a prompt', () => {
  it('is a token per byte and 16 per message', () => {
    expect(holdBound(text, model).promptTokens).toBe(532)
  })

  it('adds the most for each image of unknown size, and a constant for each second of audio or video', () => {
    expect(holdBound({ ...text, images: 2 }, model).promptTokens).toBe(532 + 2 * 9_000)
    expect(holdBound({ ...text, audioSeconds: 3 }, model).promptTokens).toBe(532 + 3 * 64)
    expect(holdBound({ ...text, videoSeconds: 3 }, model).promptTokens).toBe(532 + 3 * 1_024)
  })

  it('adds for an image of known size what its squares count, begun ones too, and never more than for any', () => {
    const tokens = (...imageSizes: PromptSize['imageSizes']) =>
      holdBound({ ...text, imageSizes }, model).promptTokens - 532
    expect(tokens({ width: 56, height: 28 })).toBe(80 + 2 * 2)
    expect(tokens({ width: 57, height: 29 })).toBe(80 + 3 * 2 * 2)
    expect(tokens({ width: 10_000, height: 10_000 })).toBe(9_000)
    expect(tokens({ width: 28, height: 28 }, { width: 28, height: 28 })).toBe(2 * 82)
  })

  it('is never more than the model’s context', () => {
    expect(holdBound({ ...text, boundBytes: 36_000_000 }, model).promptTokens).toBe(131_072)
  })

  it('costs the dearest of the prices that a prompt token can have, and the fees', () => {
    const nano = chargePerMillion(532, 300_000_000n) + 2n
    expect(holdBound(text, model).fixedNano).toBe(nano)
    expect(holdBound(text, model, { searches: 2, pages: 3 }).fixedNano).toBe(nano + 80_000_000n)
  })

  it('costs nothing where the prompt is free', () => {
    const free = { inputNanoPerMillion: 0n, cacheReadNanoPerMillion: 0n, cacheWriteNanoPerMillion: 0n }
    expect(holdBound(text, { ...model, prices: { ...prices, ...free } }).fixedNano).toBe(0n)
  })

  it('covers any split of the prompt into uncached, cached and written tokens, each line rounded up', () => {
    const price = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 10n }), fc.bigInt({ min: 0n, max: 3n }))
    const share = fc.nat({ max: 600 })
    fc.assert(
      fc.property(fc.tuple(price, price, price), fc.tuple(share, share), ([input, read, write], [cached, written]) => {
        const list = {
          ...prices,
          inputNanoPerMillion: input,
          cacheReadNanoPerMillion: read,
          cacheWriteNanoPerMillion: write,
        }
        const bound = holdBound(text, { ...model, prices: list })
        const cachedPart = Math.min(cached, bound.promptTokens)
        const writtenPart = Math.min(written, bound.promptTokens - cachedPart)
        const charge =
          chargePerMillion(bound.promptTokens - cachedPart - writtenPart, input) +
          chargePerMillion(cachedPart, read) +
          chargePerMillion(writtenPart, write)
        expect(charge <= bound.fixedNano).toBe(true)
      }),
    )
  })
})
