import type { Model, RateTier } from '../../core/model.ts'
import type { RateLimits } from './types.ts'

export type RateTiers = Readonly<Record<RateTier, RateLimits>>

/** Which rates hold for a model; they hold for each account by itself, and a key's own rates come on top (venym.md §8). */
export interface Limits {
  forModel(model: Pick<Model, 'tier'>): RateLimits
  /** New rates hold from the next request on; buckets keep their level, up to the new capacity. */
  replace(tiers: RateTiers): void
}

export function createLimits(tiers: RateTiers): Limits {
  let current = tiers
  return {
    forModel: model => current[model.tier],
    replace(next) {
      current = next
    },
  }
}
