import { buildConnector } from 'undici'
import { createFault } from '../../domain/engines/create-fault.ts'

/**
 * The library's own connect timer ticks in half seconds. It only has to clear away what this connector has already given
 * up on.
 */
const clearAwayMs = 1_000

/** TCP's own probes on a quiet connection, so that a node that vanished without a word is noticed. */
const keepAliveProbeMs = 30_000

/**
 * How connections to a node are opened: certificates are always verified, whatever the environment says, and the time
 * limit is exact to a few milliseconds, since three tries have to fit into a caller's patience (reliability.md §6.6).
 */
export function createConnector(connectMs: number): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectMs + clearAwayMs,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveProbeMs,
    rejectUnauthorized: true,
    allowH2: false,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.max(1, Math.floor(connectMs / 2)),
  })
  return (target, done) => {
    let settled = false
    const timer = setTimeout(() => {
      settled = true
      done(createFault('connect_timeout'), null)
    }, connectMs)
    connect(target, (error, socket) => {
      if (settled) return void socket?.destroy()
      settled = true
      clearTimeout(timer)
      if (error === null) done(null, socket)
      else done(error, null)
    })
  }
}
