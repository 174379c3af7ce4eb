import type { ServerResponse } from 'node:http'
import { encodeError, type WireError } from '../wire-error.ts'

/** What may wait in memory for a slow reader. The model cannot be paused, so a reader this far behind is cut off. */
const unreadBytesMax = 8 * 1_024 * 1_024

export interface EventStream {
  send(event: object): void
  /** Ends with `[DONE]`. */
  end(): void
  /** Ends with an error event and `[DONE]`. */
  fail(error: WireError): void
}

/** Server-sent events on a response. Its headers go out with the first event. */
export function createEventStream(response: ServerResponse): EventStream {
  const write = (data: string): void => {
    if (response.destroyed) return
    if (!response.headersSent) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      response.socket?.setNoDelay(true)
    }
    response.write(`data: ${data}\n\n`)
    if (response.writableLength > unreadBytesMax) response.destroy()
  }
  const end = (): void => {
    write('[DONE]')
    response.end()
  }
  return {
    send: event => write(JSON.stringify(event)),
    end,
    fail: error => {
      write(encodeError(error))
      end()
    },
  }
}
