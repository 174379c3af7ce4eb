import type { Fees } from '../core/price.ts'
import type { Meter } from './relay/meter.ts'
import type { Admitted } from './stages.ts'

/** An engine that searches X by itself does not say how often; it is one search of a request, at the price of any. */
export function withXSearch({ searches, pages }: Fees, searchesX: boolean): Fees {
  return { searches: searches + (searchesX ? 1 : 0), pages }
}

/**
 * What is owed beside tokens as far as the answer has come: what entered the prompt, and the engine's own search once it
 * has begun to answer (money.md §3).
 */
export function owedFees({ fees, searchesX }: Admitted, meter: Pick<Meter, 'deliveredText'>): Fees {
  return withXSearch(fees, searchesX && meter.deliveredText)
}
