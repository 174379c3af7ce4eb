import type { Socket } from 'node:net'

/** Those who want to know when a connection ends. One listener serves them all, however many requests it carries at once. */
const waiting = new WeakMap<Socket, Set<() => void>>()

/** Calls the listener when the connection ends, or at once when it has; until the returned function is called. */
export function onSocketEnd(socket: Socket, listener: () => void): () => void {
  if (socket.destroyed) listener()
  const listeners = waiting.get(socket) ?? listenTo(socket)
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function listenTo(socket: Socket): Set<() => void> {
  const listeners = new Set<() => void>()
  waiting.set(socket, listeners)
  socket.once('close', () => {
    for (const listener of listeners) listener()
  })
  return listeners
}
