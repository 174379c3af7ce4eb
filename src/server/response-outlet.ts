import type { ServerResponse } from 'node:http'
import type { Outlet } from '../pipeline/outlet.ts'
import { onSocketEnd } from './on-socket-end.ts'

/** A caller who takes nothing for this long is cut; the buffers on the way then hold all that they may. */
const writeIdleMs = 30_000

/** The caller's side of an answer over a Node response: tells when the caller leaves, and when it is slow. */
export function createResponseOutlet(response: ServerResponse): Outlet {
  const drained: (() => void)[] = []
  const left: (() => void)[] = []
  const { socket } = response.req
  let isGone = response.closed || socket.destroyed
  let idleTimer: NodeJS.Timeout | undefined
  const leave = () => {
    clearTimeout(idleTimer)
    if (isGone || response.writableFinished) return
    isGone = true
    for (const listener of left) listener()
  }
  const cutSlowCaller = () => {
    leave()
    response.destroy()
  }
  const expectTaken = () => {
    clearTimeout(idleTimer)
    idleTimer = setTimeout(cutSlowCaller, writeIdleMs)
  }
  response.on('close', leave)
  // An answer that waits behind another one on its connection is not told when the connection ends.
  response.on('close', onSocketEnd(socket, leave))
  response.on('drain', () => {
    clearTimeout(idleTimer)
    for (const listener of drained) listener()
  })
  return {
    get isGone() {
      return isGone
    },
    onGone: listener => void left.push(listener),
    onDrain: listener => void drained.push(listener),
    head: (status, headers) => void response.writeHead(status, headers),
    write(bytes) {
      if (response.write(bytes)) return true
      expectTaken()
      return false
    },
    end(bytes) {
      expectTaken()
      response.end(bytes)
    },
  }
}
