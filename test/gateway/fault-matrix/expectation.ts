/** What the contract says about one kind of engine fault, for a caller who wanted a stream or a whole answer. */
export type Expectation =
  /** The answer arrives and is charged. `usage`: the engine's figures, or our estimate. The second node is not asked. */
  | { readonly kind: 'fine'; readonly text: string | RegExp; readonly usage: 'estimated' | TokenCounts }
  /** Nothing was relayed: another node answers where there is one, else this status. */
  | { readonly kind: 'fault'; readonly status: number; readonly code: string }
  /** Something was relayed: an error inside the stream, no second node, no charge. */
  | { readonly kind: 'midway' }
  /** Either of the two before: what an engine sends is no answer, and how much of it is relayed first is not promised. */
  | { readonly kind: 'broken' }
  /** The engine refuses the request: the caller gets its status, and no other node is asked. */
  | { readonly kind: 'rejected'; readonly status: number; readonly code?: string; readonly message?: RegExp }

export interface TokenCounts {
  readonly prompt: number
  readonly completion: number
}

/** What the mock engine says and reports unless told otherwise. */
const mockText = 'The mock engine answers this request.'
export const mockTokens: TokenCounts = { prompt: 16, completion: 6 }

export const fine = (usage: 'estimated' | TokenCounts = mockTokens, text: string | RegExp = mockText): Expectation => ({
  kind: 'fine',
  text,
  usage,
})
export const estimated: Expectation = fine('estimated')
export const fault: Expectation = { kind: 'fault', status: 502, code: 'upstream_error' }
export const late: Expectation = { kind: 'fault', status: 504, code: 'upstream_timeout' }
export const midway: Expectation = { kind: 'midway' }
export const broken: Expectation = { kind: 'broken' }
export const rejected = (status: number, message?: RegExp, code?: string): Expectation => ({
  kind: 'rejected',
  status,
  ...(message === undefined ? {} : { message }),
  ...(code === undefined ? {} : { code }),
})
