import type { RequestBody } from '../../../core/completion-request.ts'
import type { EngineCall } from '../../../domain/engines/types.ts'
import { scanObject } from '../../../lib/json-scan.ts'
import { spliceJson } from '../../../lib/json-splice.ts'

/** The body was checked when it came, and is at most this deep. */
const depthMax = 80

const edits = {
  set: new Map([['stream', Buffer.from('true')]]),
  remove: new Set(['n', 'best_of']),
}

/** The call for one of its choices. It streams, because only what comes in pieces can be put together as it comes. */
export function singleCall(call: EngineCall): EngineCall {
  return { ...call, choices: 1, stream: true, body: singleBody(call.body) }
}

function singleBody(body: RequestBody): RequestBody {
  const bytes = Buffer.concat(spliceJson(body.bytes, body.members, edits))
  return { ...body, bytes, members: scanObject(bytes, 0, { depthMax }).members }
}
