import type { ServerResponse } from 'node:http'
import type { Outlet } from '../pipeline/outlet.ts'

/** A caller who takes nothing for this long is cut; the buffers on the way then hold all that they may. */
const writeIdleMs = 30_000

/** The caller's side of an answer over a Node response: tells when the caller leaves, and when it is slow. */
export function createResponseOutlet(response: ServerResponse): Outlet {
  const gone = new AbortController()
  const listeners: (() => void)[] = []
  let idleTimer: NodeJS.Timeout | undefined
  response.on('close', () => {
    clearTimeout(idleTimer)
    if (!response.writableFinished) gone.abort('left')
  })
  response.on('drain', () => {
    clearTimeout(idleTimer)
    for (const listener of listeners) listener()
  })
  const cutSlowCaller = () => {
    gone.abort('slow')
    response.destroy()
  }
  return {
    gone: gone.signal,
    head: (status, headers) => void response.writeHead(status, headers),
    write(bytes) {
      if (response.write(bytes)) return true
      clearTimeout(idleTimer)
      idleTimer = setTimeout(cutSlowCaller, writeIdleMs)
      return false
    },
    end(bytes) {
      clearTimeout(idleTimer)
      idleTimer = setTimeout(cutSlowCaller, writeIdleMs)
      response.end(bytes)
    },
    onDrain: listener => void listeners.push(listener),
  }
}
