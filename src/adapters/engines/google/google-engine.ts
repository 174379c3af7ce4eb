import type { Timers } from '../../../core/timers.ts'
import type { Engine } from '../../../domain/engines/engine.ts'
import { readSseData, readWhole } from '../../../domain/engines/read-answer.ts'
import type { EngineCall } from '../../../domain/engines/types.ts'
import { foldName } from '../../../lib/fold-name.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { Answer } from '../../http/exchange.ts'
import { createFanOutEngine } from '../fan-out/fan-out-engine.ts'
import { createHttpEngine, type EncodedCall, type HttpEngineOptions } from '../http-engine.ts'
import { parseAnswer } from '../parse-answer.ts'
import { answerEvents } from './answer-events.ts'
import { decodeError } from './decode-error.ts'
import { encodeRequest } from './encode-request.ts'

export interface GoogleEngineOptions extends HttpEngineOptions {
  /** Of the operator. */
  readonly deniedKeys: readonly string[]
  readonly timers: Timers
}

/** Google's Gemini API. Its address goes up to and including `/v1beta`. @throws TypeError as createHttpEngine */
export function createGoogleEngine(options: GoogleEngineOptions): Engine {
  const { clock, timers } = options
  const deniedKeys = new Set(options.deniedKeys.map(foldName))
  const engine = createHttpEngine(options, {
    kind: 'google',
    headers: [],
    keyHeader: key => ['x-goog-api-key', key],
    encode(call): EncodedCall {
      const body = encodeRequest(call, deniedKeys)
      return { path: pathOf(call), body: [Buffer.from(JSON.stringify(body))] }
    },
    decode(answer, { requestId }) {
      if (answer.status !== 200) return decodeError(answer, timers)
      const callPrefix = requestId.replace(/^[^_]*/, 'call')
      const createdSeconds = Math.floor(clock.now() / 1_000)
      return { kind: 'events', events: answerEvents(readResponses(answer), { createdSeconds, callPrefix }) }
    },
  })
  return createFanOutEngine(engine)
}

/** Models of the API's own list have one word; others are named with the folder that they are in. */
function pathOf({ engineModel, stream }: EngineCall): string {
  const name = engineModel.split('/').map(encodeURIComponent).join('/')
  const model = name.includes('/') ? name : `models/${name}`
  return `/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
}

async function* readResponses({ contentType, body }: Answer): AsyncGenerator<JsonObject> {
  if (contentType !== 'text/event-stream') yield parseAnswer(await readWhole(body))
  else for await (const data of readSseData(body)) yield parseAnswer(data)
}
