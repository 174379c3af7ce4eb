import type { ReplayableAnswer } from '../domain/idempotency/types.ts'
import type { Outlet } from './outlet.ts'

/** Sends a recorded answer once more. */
export function replay(outlet: Outlet, answer: ReplayableAnswer): void {
  const headers = {
    'content-type': answer.contentType,
    'content-length': String(answer.body.length),
    'cache-control': 'private, no-store',
    'idempotent-replayed': 'true',
    ...generationHeader(answer),
  }
  outlet.head(answer.status, headers)
  outlet.end(answer.body)
}

const idBytesMax = 16_384

/** The header names the call that was charged, whose id stands in its recorded answer, not the one that replays it. */
function generationHeader({ body }: ReplayableAnswer): Record<string, string> {
  const id = /"id" *: *"(chatcmpl-[0-9a-f]{32})"/.exec(body.toString('latin1', 0, idBytesMax))?.[1]
  return id === undefined ? {} : { 'x-generation-id': id }
}
