import type { Dispatcher } from 'undici'
import { JsonError, type JsonValue, parseJson } from '../../../lib/json.ts'
import { lastingTimeout } from '../../../lib/lasting-timeout.ts'

/** What programs say about themselves is short; more than this is something else. */
const answerBytesMax = 1_048_576

interface Question {
  readonly path: string
  /** Sent as a JSON body by POST; without one it is a GET. */
  readonly body?: JsonValue
}

/** Asks one server about itself. Null for whatever is not a JSON answer with status 200, a silent server included. */
export type Ask = (question: Question) => Promise<JsonValue | null>

export interface AskOptions {
  readonly dispatcher: Dispatcher
  /** Scheme, host and port, and the path that questions begin with. */
  readonly baseUrl: string
  readonly authorization: string | null
  /** Beside the ordinary ones. */
  readonly headers?: Readonly<Record<string, string>>
  /** For a whole question, from connecting to the last byte. */
  readonly timeoutMs: number
}

export function createAsk(options: AskOptions): Ask {
  const { dispatcher, baseUrl, authorization, headers = {}, timeoutMs } = options
  const { origin, pathname } = new URL(baseUrl)
  const prefix = pathname.replace(/\/+$/, '')
  return async ({ path, body }) => {
    const text = await readAnswer(dispatcher, {
      origin,
      path: `${prefix}${path}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(authorization === null ? {} : { authorization }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: lastingTimeout(timeoutMs),
    })
    return text === null ? null : parseAnswer(text)
  }
}

/** Null for another status, an answer that is too long, and every way in which a server does not answer. */
async function readAnswer(dispatcher: Dispatcher, options: Dispatcher.RequestOptions): Promise<string | null> {
  try {
    const { statusCode, body } = await dispatcher.request(options)
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk)
      length += bytes.length
      // Leaving the loop destroys the body and with it the connection.
      if (statusCode !== 200 || length > answerBytesMax) return null
      chunks.push(bytes)
    }
    return statusCode === 200 ? Buffer.concat(chunks).toString('utf8') : null
  } catch {
    // Nobody there, or somebody who speaks otherwise: for a question to an unknown server that is an answer.
    return null
  }
}

function parseAnswer(text: string): JsonValue | null {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonError) return null
    throw error
  }
}
