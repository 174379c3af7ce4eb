import type { Exchange } from '../openapi/judge-exchange.ts'
import { openSse, type SseEnd, type SseReading } from '../read-sse.ts'
import type { AnswerJson, Credits, Generation } from './answer-json.ts'
import { exchange, type HttpAnswer, type HttpCall } from './http-exchange.ts'
import { nanoOf } from './price-oracle.ts'

export type ChatBody = object

export interface ChatOptions extends Omit<HttpCall, 'body' | 'method'> {
  /** Null sends no Authorization. Default: the key of the account `main`. */
  readonly key?: string | null
  /** Of a stream. Default: `/v1/chat/completions`. */
  readonly path?: string
}

/** A stream that was read, with the JSON of its events. */
export interface StreamReading extends SseReading {
  readonly end: SseEnd
}

export interface ClientOptions {
  readonly url: string
  readonly key: string
  readonly model: string
  readonly prompt: string
  /** Told of every error body, so that it can be searched for secrets. */
  readonly onError: (status: number, text: string) => void
  /** Told of every stream that ended with 200. */
  readonly onStream: (reading: StreamReading) => void
  /** Told of every exchange that came to its end. */
  readonly onExchange: (exchange: Exchange) => void
}

const chatPath = '/v1/chat/completions'

/** A caller of the gateway. Bodies given as objects are completed with a model and one message. */
export class GatewayClient {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** The text of the one message that bodies are completed with. */
  get prompt(): string {
    return this.#options.prompt
  }

  /** `POST /v1/chat/completions`, read as a whole, whatever was asked for. */
  chat(body: ChatBody | string | Buffer = {}, options: ChatOptions = {}): Promise<HttpAnswer> {
    return this.send(chatPath, { ...options, method: 'POST', body: this.encode(body) })
  }

  /** The same as a stream; resolves when the head is there. */
  async openStream(body: ChatBody = {}, options: ChatOptions = {}): Promise<SseReading> {
    const { key, headers, path = chatPath, withinMs = 40_000 } = options
    const text = this.encode({ stream: true, ...body }).toString()
    const reading = await openSse({
      url: this.#options.url + path,
      headers: { ...this.#authorization(key), ...(headers as Record<string, string>) },
      body: text,
      withinMs,
    })
    void reading.ended.then(end => this.#judge(Object.assign(reading, { end }), { path, requestBody: text }))
    return reading
  }

  /** The same, read to the end. */
  async stream(body: ChatBody = {}, options: ChatOptions = {}): Promise<StreamReading> {
    const reading = await this.openStream(body, options)
    return Object.assign(reading, { end: await reading.ended })
  }

  /** Any request. With `key: null` without credentials. */
  async send(path: string, { key, headers, ...call }: ChatOptions & HttpCall = {}): Promise<HttpAnswer> {
    const type = call.body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await exchange(this.#options.url + path, {
      ...call,
      headers: { ...type, ...this.#authorization(key), ...headers },
    })
    if (answer.status >= 400) this.#options.onError(answer.status, answer.text)
    this.#options.onExchange({ path, method: call.method ?? 'GET', ...answered(answer), ...sent(call.body) })
    return answer
  }

  /** A past completion explained; null when the gateway knows none under this id. */
  async generation(id: string, options: ChatOptions = {}): Promise<Generation | null> {
    const answer = await this.send(`/v1/generation?id=${encodeURIComponent(id)}`, options)
    if (answer.status === 404) return null
    if (answer.status !== 200) throw new Error(`generation answered ${answer.status}: ${answer.text}`)
    return answer.json.data as Generation
  }

  async credits(key: string = this.#options.key): Promise<Credits> {
    const answer = await this.send('/v1/credits', { key })
    if (answer.status !== 200) throw new Error(`credits answered ${answer.status}: ${answer.text}`)
    const data = answer.json.data as Record<'total_credits' | 'total_usage' | 'balance' | 'available', number>
    return {
      creditedNano: nanoOf(data.total_credits),
      usedNano: nanoOf(data.total_usage),
      balanceNano: nanoOf(data.balance),
      availableNano: nanoOf(data.available),
    }
  }

  encode(body: ChatBody | string | Buffer): Buffer {
    if (Buffer.isBuffer(body)) return body
    if (typeof body === 'string') return Buffer.from(body)
    const { model, prompt } = this.#options
    return Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content: prompt }], ...body }))
  }

  #authorization(key: string | null | undefined): Record<string, string> {
    return key === null ? {} : { authorization: `Bearer ${key ?? this.#options.key}` }
  }

  #judge(reading: StreamReading, call: Pick<Exchange, 'path' | 'requestBody'>): void {
    const { status, text, events } = reading
    this.#options.onExchange({ ...call, method: 'POST', ...answered(reading) })
    if (status >= 400) this.#options.onError(status, text)
    else this.#options.onStream(reading)
    for (const { data } of events) if (data.startsWith('{"error"')) this.#options.onError(status, data)
  }
}

function answered({ status, headers, text }: Pick<HttpAnswer, 'status' | 'headers' | 'text'>) {
  return { status, contentType: headers['content-type'] ?? '', text }
}

function sent(body: HttpCall['body']): Pick<Exchange, 'requestBody'> {
  return { requestBody: body?.toString() ?? null }
}

/** The JSON of each event of a stream but `[DONE]`. */
export function chunksOf(reading: SseReading): AnswerJson[] {
  return reading.events.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data) as AnswerJson)
}

/** The text that a stream delivered for one choice. */
export function streamedText(reading: SseReading, choice = 0): string {
  return chunksOf(reading)
    .flatMap(chunk => chunk.choices ?? [])
    .filter(({ index }) => index === choice)
    .map(({ delta }) => delta?.content ?? '')
    .join('')
}
