import type { ChargeKind, PriceList } from '../core/price.ts'
import type { Principal } from '../core/principal.ts'
import type { AdmissionRequest } from '../domain/admission/types.ts'
import type { RateLimits } from '../domain/limits/types.ts'
import type { CompletionDependencies } from './dependencies.ts'
import type { Standing } from './standing.ts'

/** What is sold by the piece and needs no model. */
export interface Ware {
  /** What bills and usage records call it, in the place of a model. */
  readonly id: string
  readonly kind: ChargeKind
  readonly prices: PriceList
}

/** One piece that a caller asks for. */
export interface Order {
  readonly ware: Ware
  readonly requestId: string
  readonly principal: Pick<Principal, 'accountId' | 'keyId'>
  readonly surface: string
  readonly spendsAllCurrencies: boolean
  /** How long making it can take at most; holds live that long. */
  readonly totalMs: number
  /** Wall time, for records. */
  readonly receivedAtMs: number
  /** Monotonic time, for durations. */
  readonly startedAtMs: number
  /** Aborts when the caller leaves. What was not made by then is free. */
  readonly signal: AbortSignal
  /** How often an account may ask for it; left out, as often as it likes. */
  readonly rates?: RateLimits
}

/** What was made, and how its buyer stood before. */
export interface Sold<Made> {
  readonly made: Made
  readonly standing: Standing
}

/** An order that was admitted. */
export interface Sale {
  readonly order: Order
  readonly request: AdmissionRequest
}

export type SaleDependencies = Pick<
  CompletionDependencies,
  'clock' | 'random' | 'logger' | 'admission' | 'ledger' | 'observer' | 'settings' | 'processId' | 'refusals'
>
