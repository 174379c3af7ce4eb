import type { Gateway } from '../../support/gateway/index.ts'
import type { Failure } from '../client.ts'

/** The statuses that every client is made to meet. */
export type FailureStatus = 400 | 401 | 402 | 403 | 404 | 429 | 502 | 504

/** How a client names what went wrong. */
interface ExpectedFailures {
  /** By the status of the gateway's answer. */
  readonly classes: Readonly<Record<FailureStatus, string>>
  readonly brokenStream: Partial<Failure>
  readonly stoppedWaiting: string
}

export interface ClientTraits {
  readonly failures: ExpectedFailures
  /** False where the client hands on neither the id nor the cost of a stream. Default true. */
  readonly showsDetailsOfStreams?: boolean
}

export interface ContractOptions {
  readonly gateway: Gateway
  /** Default `/v1`. */
  readonly surface?: string
  readonly traits: ClientTraits
}
