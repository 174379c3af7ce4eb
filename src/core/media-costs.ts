/** In pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** The most that an engine counts for a picture, which it cuts into squares: whole numbers of tokens from 0 on. */
export interface ImageCost {
  /** The side of a square, 1 or more. */
  readonly tilePx: number
  readonly tokensPerTile: number
  /** For a picture of any size: a preview of the whole, marks around it, and what small ones are blown up to. */
  readonly baseTokens: number
  /** For the largest picture, because engines make larger ones smaller. */
  readonly maxTokens: number
}

/** The most that the engines of a model count for what is not text (money.md §5). */
export interface MediaCosts {
  readonly image: ImageCost
  readonly audioTokensPerSecond: number
  readonly videoTokensPerSecond: number
}

export function imageTokens({ width, height }: ImageSize, cost: ImageCost): number {
  const tiles = Math.ceil(width / cost.tilePx) * Math.ceil(height / cost.tilePx)
  return Math.min(cost.baseTokens + tiles * cost.tokensPerTile, cost.maxTokens)
}
