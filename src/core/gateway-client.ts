import type { JsonObject, JsonValue } from '../lib/json.ts'

/** Port: what a terminal asks of a running gateway, over HTTP and with a key like any other caller. */
export interface GatewayClient {
  /**
   * Resolves with the status and the JSON of a small answer; null for a body that is no JSON.
   * @throws GatewayUnreachable
   */
  get(path: string, signal: AbortSignal): Promise<{ readonly status: number; readonly body: JsonValue }>
  /**
   * Posts the body and yields the JSON of each event of the stream as it comes, without the end mark. A refusal is one
   * event: the error object that the gateway answered with, or one in its shape.
   * @throws GatewayUnreachable, also for a stream that breaks off. Aborting the signal makes it throw as well.
   */
  stream(path: string, body: JsonObject, signal: AbortSignal): AsyncIterable<JsonObject>
  close(): Promise<void>
}

/** There was no whole answer. The message says why, for the person at the terminal. */
export class GatewayUnreachable extends Error {
  override readonly name = 'GatewayUnreachable'
}
