import { randomBytes, randomInt } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { ChatRequest } from '../chat-request.ts'
import { decodeRequest } from '../decode/decode-request.ts'
import type { AnswerEnd, AnswerPart, Engine, OpenedChat } from '../model/engine.ts'
import { toWireError, WireError } from '../wire-error.ts'
import {
  type CompletionHead,
  encodeCompletion,
  encodeEndChunk,
  encodePartChunk,
  encodeRoleChunk,
  encodeUsageChunk,
  type GatheredAnswer,
} from './encode-completion.ts'
import { createEventStream } from './event-stream.ts'
import type { Turnstile } from './turnstile.ts'

const generationMsMax = 30 * 60_000

export interface ChatParts {
  readonly engine: Engine
  readonly turnstile: Turnstile
}

interface Exchange extends ChatParts {
  readonly request: ChatRequest
  readonly chat: OpenedChat
  readonly head: CompletionHead
  readonly response: ServerResponse
  readonly signal: AbortSignal
}

/**
 * Answers one `POST /v1/chat/completions`. Everything that can be judged without the model is judged before the queue.
 * `signal` aborts when the caller leaves: that ends the wait or the generation.
 */
export async function answerChat(
  parts: ChatParts,
  { body, response }: { readonly body: unknown; readonly response: ServerResponse },
  signal: AbortSignal,
): Promise<void> {
  const { engine, turnstile } = parts
  const request = decodeRequest(body)
  if (request.model !== engine.facts.model) {
    const message = `This engine serves ${engine.facts.model} only.`
    throw new WireError({ status: 404, code: 'model_not_found', param: 'model', message })
  }
  const chat = engine.open(request)
  const createdSeconds = Math.floor(Date.now() / 1_000)
  const head = { id: `chatcmpl-${randomBytes(16).toString('hex')}`, createdSeconds, facts: engine.facts }
  const exchange: Exchange = { ...parts, request, chat, head, response, signal }
  await turnstile.pass(() => (request.stream ? stream(exchange) : gather(exchange)), signal)
}

async function gather(exchange: Exchange): Promise<void> {
  const answers: GatheredAnswer[] = []
  for (let index = 0; index < exchange.request.choices; index += 1) {
    const answer: AnswerPart[] = []
    const end = await generate(exchange, index, part => answer.push(part))
    answers.push({ parts: answer, end })
  }
  const text = JSON.stringify(encodeCompletion(exchange.head, answers, exchange.chat.promptTokens))
  exchange.response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}

/** Headers go out with the first token, so that a failure before it is a plain error answer. */
async function stream(exchange: Exchange): Promise<void> {
  const { request, head, response } = exchange
  const events = createEventStream(response)
  const ends: AnswerEnd[] = []
  try {
    for (let index = 0; index < request.choices; index += 1) {
      let hasBegun = false
      const begin = (): void => {
        if (!hasBegun) events.send(encodeRoleChunk(head, index))
        hasBegun = true
      }
      const end = await generate(exchange, index, part => {
        begin()
        events.send(encodePartChunk(head, index, part))
      })
      begin()
      events.send(encodeEndChunk(head, index, end))
      ends.push(end)
    }
    if (request.includeUsage) events.send(encodeUsageChunk(head, { promptTokens: exchange.chat.promptTokens, ends }))
    events.end()
  } catch (error) {
    if (!response.headersSent) throw error
    if (!exchange.signal.aborted) process.stderr.write(`answer failed after its first token: ${String(error)}\n`)
    events.fail(toWireError(error))
  }
}

/** Answers of one request differ: their seeds follow each other. */
async function generate(exchange: Exchange, index: number, onPart: (part: AnswerPart) => void): Promise<AnswerEnd> {
  const seed = exchange.request.sampling.seed ?? randomInt(2 ** 32)
  const timeout = AbortSignal.timeout(generationMsMax)
  const signal = AbortSignal.any([exchange.signal, timeout])
  try {
    return await exchange.chat.generate({ seed: (seed + index) % 2 ** 32, onPart }, signal)
  } catch (error) {
    if (!timeout.aborted) throw error
    throw new WireError({ status: 504, code: 'generation_timeout', message: 'The answer took too long.' })
  }
}
