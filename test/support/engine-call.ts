import { readBody } from '../../src/dialects/openai/read-body.ts'
import { decodeChat } from '../../src/dialects/venym/decode-chat.ts'
import type { EngineCall } from '../../src/domain/engines/types.ts'
import type { JsonObject } from '../../src/lib/json.ts'

const outputLimitUsual = 16_384

/** A request body as the call that an engine gets for it. A text stands for one message of the user. */
export function engineCall(prompt: string | JsonObject[], fields: JsonObject = {}): EngineCall {
  const messages = typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt
  const body = { model: 'rialto/sandbox', messages, ...fields }
  const request = decodeChat(readBody(Buffer.from(JSON.stringify(body))))
  if (request.content.kind !== 'forwarded') throw new TypeError('this surface forwards bodies')
  return {
    requestId: 'req_1',
    engineModel: 'sandbox',
    stream: request.stream,
    choices: request.choices,
    outputLimit: Math.min(request.outputLimit ?? outputLimitUsual, outputLimitUsual),
    body: request.content.body,
    deniedKeys: new Set(),
    promptCacheKey: null,
    wishes: null,
  }
}
