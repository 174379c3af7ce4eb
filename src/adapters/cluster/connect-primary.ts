import cluster from 'node:cluster'
import type { MessageLine } from '../../lib/peer.ts'

/**
 * The line to the process that started this one as a worker; null when this one is none. When the other end is gone the
 * process ends by itself, right after its listeners were told.
 */
export function connectPrimary(): MessageLine | null {
  const { worker } = cluster
  if (worker === undefined) return null
  // A message that could not be sent; that the other end is gone is told by the disconnect.
  worker.on('error', () => undefined)
  return {
    send: message => void (worker.isConnected() && process.send?.(message, undefined, {}, () => undefined)),
    onMessage: listener => void process.on('message', listener),
    onClosed: listener => void worker.once('disconnect', listener),
  }
}
