import type { ImageCost, MediaCosts } from '../core/media-costs.ts'
import type { ModelSettings } from './schema.ts'

/** Covers what open models count that cut finest (16 pixels), and what those count that blow small pictures up (6,404). */
const anyFamily: ImageCost = { tilePx: 16, tokensPerTile: 1, baseTokens: 6_500, maxTokens: 16_384 }

/** By the catalogue's families; where a family counts in several ways, the dearest one. */
const families: ReadonlyMap<string, ImageCost> = new Map([
  ['claude', { tilePx: 27, tokensPerTile: 1, baseTokens: 16, maxTokens: 4_900 }],
  ['gemini', { tilePx: 256, tokensPerTile: 258, baseTokens: 2_240, maxTokens: 16_384 }],
  ['openai', { tilePx: 512, tokensPerTile: 5_667, baseTokens: 2_833, maxTokens: 48_169 }],
  ['openai-reasoning', { tilePx: 32, tokensPerTile: 3, baseTokens: 1_024, maxTokens: 4_608 }],
  ['qwen', { tilePx: 28, tokensPerTile: 1, baseTokens: 80, maxTokens: 16_384 }],
])

/** What the operator says of a model, or what is known of its family. */
export function createMediaCosts({ media, family }: Pick<ModelSettings, 'media' | 'family'>): MediaCosts {
  const { image, audioTokensPerSecond, videoTokensPerSecond } = media
  return { image: image ?? families.get(family) ?? anyFamily, audioTokensPerSecond, videoTokensPerSecond }
}
