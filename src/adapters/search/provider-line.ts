import { Agent, type Dispatcher } from 'undici'
import type { SearchFailureKind } from '../../domain/search/types.ts'
import type { ProviderRequest } from './provider-shape.ts'

/** Twenty results with their passages are a few dozen kilobytes. */
const answerBytesMax = 2_097_152
const headerBytesMax = 32_768
const connectMs = 2_000
/** Beyond the longest time that a configuration gives a search, so that the search's own signal ends it. */
const answerMs = 120_000
const connectionsMax = 16

export interface LineAnswer {
  readonly status: number
  readonly retryAfter: string | null
  readonly bytes: Buffer
}

/** There was no whole answer. */
export class LineFault extends Error {
  override readonly name = 'LineFault'
  readonly kind: Extract<SearchFailureKind, 'down' | 'garbage'>

  constructor(kind: LineFault['kind'], options?: ErrorOptions) {
    super('The provider gave no answer.', options)
    this.kind = kind
  }
}

export interface ProviderLine {
  /** @throws LineFault and what the signal says */
  ask(request: ProviderRequest, signal: AbortSignal): Promise<LineAnswer>
  close(): Promise<void>
}

/**
 * Connections to one provider, whose address is the operator's. Redirects are not followed: they would carry the key to
 * where the operator did not send it.
 */
export function createProviderLine(options: { readonly address: string; readonly userAgent: string }): ProviderLine {
  const { origin, pathname } = new URL(options.address)
  const prefix = pathname.replace(/\/+$/, '')
  const agent = new Agent({
    connections: connectionsMax,
    pipelining: 1,
    connect: { timeout: connectMs, rejectUnauthorized: true },
    allowH2: false,
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    maxHeaderSize: headerBytesMax,
  })
  const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': options.userAgent }

  async function send({ path, body, ...request }: ProviderRequest, signal: AbortSignal) {
    const content = body === null ? {} : { 'content-type': 'application/json' }
    try {
      return await agent.request({
        origin,
        path: `${prefix}${path}`,
        method: body === null ? 'GET' : 'POST',
        headers: { ...headers, ...content, ...request.headers },
        ...(body === null ? {} : { body: JSON.stringify(body) }),
        signal,
      })
    } catch (cause) {
      throw new LineFault('down', { cause })
    }
  }

  return {
    async ask(request, signal) {
      const { statusCode: status, headers: received, body } = await send(request, signal)
      const retryAfter = received['retry-after']
      return {
        status,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
        bytes: await readBody(body),
      }
    },
    close: () => agent.destroy(),
  }
}

async function readBody(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk)
      length += bytes.length
      // Leaving the loop destroys the body and with it the connection.
      if (length > answerBytesMax) throw new LineFault('garbage')
      chunks.push(bytes)
    }
  } catch (cause) {
    throw cause instanceof LineFault ? cause : new LineFault('down', { cause })
  }
  return Buffer.concat(chunks)
}
