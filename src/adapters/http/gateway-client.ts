import { Agent, type Dispatcher } from 'undici'
import { type GatewayClient, GatewayUnreachable } from '../../core/gateway-client.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJsonBytes } from '../../lib/json.ts'
import { JsonError } from '../../lib/json-error.ts'
import type { Secret } from '../../lib/secret.ts'
import { createSseSplitter, sseBounds } from '../../lib/sse-split.ts'

const connectMs = 3_000
/** Longer than any deadline of the gateway, which answers before it in any case. */
const answerMs = 600_000
const bodyBytesMax = 8_388_608
const endMark = '[DONE]'

export interface GatewayClientOptions {
  /** Scheme, host and port, and a path where the gateway stands behind one; without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: Secret | null
  readonly userAgent: string
}

/** Talks to a gateway as its callers do. */
export function createGatewayClient({ baseUrl, apiKey, userAgent }: GatewayClientOptions): GatewayClient {
  const { origin, pathname } = new URL(baseUrl)
  const prefix = pathname.replace(/\/+$/, '')
  const agent = new Agent({ connect: { timeout: connectMs }, headersTimeout: answerMs, bodyTimeout: answerMs })
  const headers = {
    'user-agent': userAgent,
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey.reveal()}` }),
  }

  async function request(path: string, options: Pick<Dispatcher.RequestOptions, 'method' | 'body' | 'signal'>) {
    try {
      const content = options.body === undefined ? {} : { 'content-type': 'application/json' }
      return await agent.request({ ...options, origin, path: `${prefix}${path}`, headers: { ...headers, ...content } })
    } catch (error) {
      throw unreachable(error, origin)
    }
  }

  return {
    async get(path, signal) {
      const { statusCode, body } = await request(path, { method: 'GET', signal })
      try {
        return { status: statusCode, body: readJson(await readBytes(body)) }
      } catch (error) {
        throw unreachable(error, origin)
      }
    },
    async *stream(path, body, signal) {
      const answer = await request(path, { method: 'POST', body: JSON.stringify(body), signal })
      try {
        if (answer.statusCode === 200) yield* readEvents(answer.body)
        else yield errorOf(answer.statusCode, readJson(await readBytes(answer.body)))
      } catch (error) {
        throw unreachable(error, origin)
      }
    },
    close: () => agent.destroy(),
  }
}

/** The JSON of each event until the end mark. @throws GatewayUnreachable when it is missing, or an event is no object */
async function* readEvents(body: AsyncIterable<Buffer>): AsyncGenerator<JsonObject> {
  let waiting: Buffer[] = []
  let fault: string | null = null
  const splitter = createSseSplitter({
    ...sseBounds,
    onEvent: data => void waiting.push(data),
    onFault: reason => {
      fault = reason
    },
  })
  for await (const chunk of body) {
    splitter.push(chunk)
    const events = waiting
    waiting = []
    for (const data of events) {
      if (data.toString() === endMark) return
      yield eventOf(data)
    }
    if (fault !== null) throw new GatewayUnreachable(`The answer is no stream of events (${fault}).`)
  }
  throw new GatewayUnreachable('The answer broke off before its end.')
}

function eventOf(data: Buffer): JsonObject {
  const value = readJson(data)
  if (!isJsonObject(value)) throw new GatewayUnreachable('The answer holds an event that is no JSON object.')
  return value
}

/** An answer in the error shape as it is; anything else, such as a proxy's page, as an error that names the status. */
function errorOf(status: number, body: JsonValue): JsonObject {
  if (isJsonObject(body) && isJsonObject(body['error'])) return body
  return { error: { message: `The address answered ${status}, not as a gateway does.` } }
}

function readJson(bytes: Buffer): JsonValue {
  try {
    return parseJsonBytes(bytes)
  } catch (error) {
    if (error instanceof JsonError) return null
    throw error
  }
}

async function readBytes(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > bodyBytesMax) throw new GatewayUnreachable('The answer is far larger than a gateway’s.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name cannot be looked up now',
  UND_ERR_CONNECT_TIMEOUT: 'it does not take the connection',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  TimeoutError: 'it does not answer',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer',
  UND_ERR_BODY_TIMEOUT: 'it stopped in the middle of the answer',
}

function unreachable(error: unknown, origin: string): unknown {
  if (error instanceof GatewayUnreachable || !(error instanceof Error) || error.name === 'AbortError') return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return new GatewayUnreachable(`No gateway answers at ${origin}: ${reasons[code] ?? error.message}.`, { cause: error })
}
