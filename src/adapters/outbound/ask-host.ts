import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import { FetchRefused, type FetchRequest } from '../../core/guarded-fetch.ts'
import type { Destination } from './judge-address.ts'

const headerBytesMax = 16_384
const headersMs = 8_000
/** A body that rests this long is over. */
const idleMs = 5_000

/** The head of an answer, and a body that nothing has been read of. */
export interface HostAnswer {
  readonly status: number
  readonly headers: Dispatcher.ResponseData['headers']
  readonly body: AsyncIterable<Buffer>
  /** Closes the connection. To be called in any case: no connection serves a second request. */
  close(): void
}

/**
 * One GET over a connection of its own, without cookies, credentials or anything else that tells who asks. Nothing of
 * the environment, such as a proxy, has a say.
 * @throws FetchRefused and what the signal says
 */
export async function askHost(
  { url }: Destination,
  { accept }: FetchRequest,
  { connect, signal }: { readonly connect: () => Promise<Socket>; readonly signal: AbortSignal },
): Promise<HostAnswer> {
  const client = new Client(url.origin, {
    connect: (_target, done) => {
      connect().then(
        socket => done(null, socket),
        (error: Error) => done(error, null),
      )
    },
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: headerBytesMax,
    headersTimeout: headersMs,
    bodyTimeout: idleMs,
    strictContentLength: true,
  })
  const close = () => void client.destroy().catch(ignoreLateError)
  try {
    const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'rialto' }
    const path = `${url.pathname}${url.search}`
    const request = { method: 'GET', path, headers, signal, reset: true } as const
    const { statusCode, headers: received, body } = await client.request(request)
    return { status: statusCode, headers: received, body, close }
  } catch (error) {
    close()
    throw error instanceof FetchRefused ? error : new FetchRefused('unreachable', { cause: error })
  }
}

/** What a connection that is thrown away still says concerns nobody. */
function ignoreLateError(): undefined {
  return undefined
}
