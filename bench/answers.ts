/** Names of the model as callers know it and as the engine knows it: of one length, so that all paths carry the same bytes. */
export const publicModel = 'bench/reply-8b'
export const engineModel = 'Mock/Reply-8B1'

/** Events of a stream that carry JSON; `[DONE]` comes on top. The last two are the finish and the usage. */
export const eventsPerStream = 200

export const promptTokens = 220
export const completionTokens = 198

const jsonAnswerBytes = 2_048
const eventBytes = 200
const created = 1_790_000_000
const engineId = 'chatcmpl-0123456789ab'
const usage = {
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
}

/** A complete HTTP answer with a `chat.completion` of 2 KiB. */
export const jsonAnswer: Buffer = jsonResponse(completionJson())

/** The HTTP head of every stream. */
export const streamHead: Buffer = Buffer.from(
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n',
)

/** The events of a stream, each in its own HTTP chunk as engines send them; the last one carries `[DONE]`. */
export const streamChunks: readonly Buffer[] = streamEvents().map(httpChunk)

/** Ends the chunked body of a stream. */
export const streamEnd: Buffer = Buffer.from('0\r\n\r\n')

/** A whole stream as one write. */
export const burstAnswer: Buffer = Buffer.concat([streamHead, ...streamChunks, streamEnd])

export const modelsAnswer: Buffer = jsonResponse(
  JSON.stringify({ object: 'list', data: [{ id: engineModel, object: 'model', created, owned_by: 'bench' }] }),
)

export const notFoundAnswer: Buffer = jsonResponse(
  JSON.stringify({
    error: { message: 'no such route', type: 'invalid_request_error', param: null, code: 'not_found' },
  }),
  '404 Not Found',
)

/** Body bytes that a whole answer has at least, whichever names and costs a gateway writes into it. */
export const leastJsonBytes = jsonAnswerBytes - 256
export const leastStreamBytes = eventsPerStream * (eventBytes - 32)

function completionJson(): string {
  const build = (content: string) =>
    JSON.stringify({
      id: engineId,
      object: 'chat.completion',
      created,
      model: engineModel,
      choices: [{ index: 0, message: { role: 'assistant', content }, logprobs: null, finish_reason: 'stop' }],
      usage,
      system_fingerprint: 'fp_bench',
    })
  return build(prose(jsonAnswerBytes - build('').length))
}

function streamEvents(): string[] {
  const event = (choices: unknown[], extra: object = {}) =>
    `data: ${JSON.stringify({ id: engineId, object: 'chat.completion.chunk', created, model: engineModel, choices, ...extra })}\n\n`
  const content = (text: string) => event([{ index: 0, delta: { content: text }, finish_reason: null }])
  const text = prose(eventBytes - content('').length)
  return [
    ...Array.from({ length: eventsPerStream - 2 }, () => content(text)),
    event([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    event([], { usage }),
    'data: [DONE]\n\n',
  ]
}

function prose(length: number): string {
  return 'The river carries its boats past the old bridge. '.repeat(Math.ceil(length / 49) + 1).slice(0, length)
}

function httpChunk(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
}

function jsonResponse(body: string, status = '200 OK'): Buffer {
  return Buffer.from(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
