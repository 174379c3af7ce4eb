import type { JsonObject } from '../lib/json.ts'
import type { GatewayError } from './gateway-error.ts'

/**
 * A piece of an answer inside the gateway, for the lane where content must be understood. A chunk is open: known fields
 * are typed where they are read, the rest is carried through untouched.
 */
export type CompletionEvent =
  | { readonly type: 'chunk'; readonly chunk: JsonObject }
  | { readonly type: 'usage'; readonly usage: JsonObject }
  | { readonly type: 'fault'; readonly error: GatewayError }
  | { readonly type: 'end' }
