import type { Documents } from '../adapters/documents/open-documents.ts'
import { sniffType } from '../adapters/media/sniff-type.ts'
import { createGuardedFetch } from '../adapters/outbound/guarded-fetch.ts'
import type { Config } from '../config/config.ts'
import type { Clock } from '../core/clock.ts'
import { createByteBudget, mediaBudgetBytes } from '../pipeline/media/byte-budget.ts'
import type { MediaTools } from '../pipeline/media/media-tools.ts'
import { hostRulesOf } from './host-rules.ts'

export interface MediaParts {
  /** What is in force now. */
  readonly config: () => Config
  readonly clock: Clock
  readonly documents: Documents
}

export function createMediaTools({ config, clock, documents: { reader, decoder, meter } }: MediaParts): MediaTools {
  return {
    fetch: createGuardedFetch({ rules: () => hostRulesOf(config()), clock }),
    images: decoder,
    meter,
    documents: reader,
    sniff: sniffType,
    budget: createByteBudget(mediaBudgetBytes),
  }
}
