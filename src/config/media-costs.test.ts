import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { imageTokens } from '../core/media-costs.ts'
import { createMediaCosts } from './media-costs.ts'

const media = { check: 'auto', image: null, audioTokensPerSecond: 64, videoTokensPerSecond: 1_024 } as const
const costOf = (family: string) => createMediaCosts({ media, family }).image

it('are what the operator says, else those of the family, else those of any', () => {
  const image = { tilePx: 1, tokensPerTile: 1, baseTokens: 0, maxTokens: 9 }
  expect(createMediaCosts({ media: { ...media, image }, family: 'qwen' }).image).toEqual(image)
  expect(costOf('qwen').tilePx).toBe(28)
  expect(costOf('nobody')).toEqual(costOf('other'))
})

/** What engines count for a picture, as their makers document it. */
const counted: readonly (readonly [family: string, width: number, height: number, tokens: number])[] = [
  // 28-pixel patches, at least 4 of them.
  ['qwen', 64, 64, 9],
  ['qwen', 1_092, 1_092, 1_521],
  // A token for 750 square pixels.
  ['claude', 200, 200, 54],
  ['claude', 1_092, 1_092, 1_590],
  // A tile of 512 pixels and a base, which are 33 times as much for the small model.
  ['openai', 64, 64, 2_833 + 5_667],
  ['openai', 512, 512, 2_833 + 5_667],
  ['openai', 4_096, 4_096, 2_833 + 4 * 5_667],
  // 32-pixel patches, at most 1,536, times 2.46 for the smallest model.
  ['openai-reasoning', 1_024, 1_024, 2_520],
  ['openai-reasoning', 8_000, 6_000, 3_779],
  // 258 for a small picture, and for each part of a larger one; up to 2,240 for newer models.
  ['gemini', 384, 384, 258],
  ['gemini', 960, 540, 6 * 258],
  ['gemini', 64, 64, 2_240],
  // Engines of open models: fixed figures, 448-pixel parts with a preview, 16-pixel patches, four parts of 1,601.
  ['other', 64, 64, 2_880],
  ['other', 256, 64, 5 * 256],
  ['other', 1_024, 1_024, 4_160],
  ['other', 561, 561, 6_404],
]

it.each(counted)('of %s bound what is counted for %i by %i pixels', (family, width, height, tokens) => {
  expect(imageTokens({ width, height }, costOf(family))).toBeGreaterThanOrEqual(tokens)
})

it('stand in the documentation as they are', async () => {
  const page = await readFile(new URL('../../docs/media.md', import.meta.url), 'utf8')
  for (const family of ['claude', 'gemini', 'openai', 'openai-reasoning', 'qwen', 'other']) {
    const { tilePx, tokensPerTile, baseTokens, maxTokens } = costOf(family)
    const shown = [tilePx, tokensPerTile, baseTokens, maxTokens].map(figure => figure.toLocaleString('en'))
    const name = family === 'other' ? 'any other' : `\`${family}\``
    const cells = page.split('\n').map(row => row.split('|').map(cell => cell.trim()))
    expect(cells.find(([, first]) => first === name)?.slice(2, 6)).toEqual(shown)
  }
})
