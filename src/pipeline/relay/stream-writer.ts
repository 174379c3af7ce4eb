import type { AnswerEncoder } from '../../core/answer-encoder.ts'
import type { GatewayError } from '../../core/gateway-error.ts'
import { encodeSseData, sseComment, sseDone } from '../../lib/sse-write.ts'
import type { Outlet } from '../outlet.ts'

export const keepAliveEveryMs = 10_000
const keepAlive = sseComment('keep-alive')

/** Paid content is never cacheable, and proxies must not collect a stream before they pass it on. */
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'private, no-store',
  'x-accel-buffering': 'no',
}

export interface StreamWriter {
  /** True once the 200 has left: from then on every failure is in-band. */
  readonly started: boolean
  /** Sends the head if it has not left yet. */
  start(): void
  /** Whole SSE events, in one write. False: the caller is slow. */
  write(events: Buffer): boolean
  /** The last events and `[DONE]`. */
  finish(lastEvents: Buffer): void
  fail(error: GatewayError): void
  stopKeepAlive(): void
}

export interface StreamWriterOptions {
  readonly encoder: AnswerEncoder
  readonly headers: () => Record<string, string>
  /** How long the caller has waited before, in milliseconds. */
  readonly waitedMs: number
}

/**
 * Writes one stream to the caller. While no token has come, a comment goes out every 10 s, so that nobody on the way
 * takes the connection for dead (venym.md §3 Streaming).
 */
export function createStreamWriter(outlet: Outlet, { encoder, headers, waitedMs }: StreamWriterOptions): StreamWriter {
  let started = false
  const start = () => {
    if (started) return
    started = true
    outlet.head(200, { ...streamHeaders, ...headers() })
  }
  const sendKeepAlive = () => {
    start()
    outlet.write(keepAlive)
    timer = setTimeout(sendKeepAlive, keepAliveEveryMs)
  }
  let timer = setTimeout(sendKeepAlive, Math.max(keepAliveEveryMs - waitedMs, 0))
  const stopKeepAlive = () => clearTimeout(timer)
  return {
    get started() {
      return started
    },
    start,
    stopKeepAlive,
    write(events) {
      start()
      return outlet.write(events)
    },
    finish(lastEvents) {
      stopKeepAlive()
      start()
      outlet.end(Buffer.concat([lastEvents, sseDone]))
    },
    fail(error) {
      stopKeepAlive()
      start()
      outlet.end(Buffer.concat([encodeSseData(encoder.errorEvent(error)), sseDone]))
    },
  }
}
