import type { Writable } from 'node:stream'
import type { JsonObject } from '../../../lib/json.ts'

export interface ChildAnswer {
  readonly head: JsonObject
  readonly body: Uint8Array
}

/** The head says how long the body is: a child that is ended in the middle of it has not answered. */
export function writeAnswer(output: Writable, { head, body }: ChildAnswer): void {
  output.write(`${JSON.stringify({ ...head, bodyBytes: body.length })}\n`)
  output.end(body)
}
