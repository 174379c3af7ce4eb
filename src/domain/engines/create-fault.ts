import { EngineFault, type FaultKind } from './types.ts'

/** Messages name no address: they travel into records and, through operators' tools, further than logs. */
const messages: Readonly<Record<FaultKind, string>> = {
  connect_refused: 'the node refused the connection',
  connect_timeout: 'the node did not take the connection in time',
  reset: 'the node closed the connection',
  tls: 'the node could not prove who it is',
  dns: 'the name of the node is not known',
  first_byte_timeout: 'the node did not begin its answer in time',
  idle_timeout: 'the node stopped in the middle of its answer',
  total_timeout: 'the answer took too long in all',
  bad_answer: 'the node did not answer properly',
  policy: 'the content is against a policy of the model’s provider',
  queue_full: 'the queue for the node is full',
  queue_timeout: 'the wait for the node was too long',
  aborted: 'the request was given up',
}

export interface FaultDetails {
  /** Instead of the kind's own words. Must name no address and quote nothing of the answer. */
  readonly message?: string
  readonly staleConnection?: boolean
  readonly cause?: unknown
}

export function createFault(kind: FaultKind, { message, ...details }: FaultDetails = {}): EngineFault {
  return new EngineFault(kind, message ?? messages[kind], details)
}
