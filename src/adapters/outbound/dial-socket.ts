import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

interface DialTarget {
  /** A literal address, already judged. Names never come here, so nothing is looked up a second time. */
  readonly address: string
  readonly port: number
  /** The name that the certificate has to hold; null for plain HTTP. */
  readonly tlsHost: string | null
}

/** Opens a connection. Resolves when it is ready for a request. */
export type DialSocket = (target: DialTarget, signal: AbortSignal) => Promise<Socket>

export const dialSocket: DialSocket = (target, signal) =>
  new Promise((resolve, reject) => {
    const { address: host, port, tlsHost } = target
    const socket =
      tlsHost === null
        ? connect({ host, port, noDelay: true })
        : connectTls({ host, port, ...serverName(tlsHost), ALPNProtocols: ['http/1.1'], rejectUnauthorized: true })
    const abort = () => socket.destroy(abortError(signal))
    const settle = (error: Error | null) => {
      signal.removeEventListener('abort', abort)
      socket.removeListener('error', settle)
      if (error === null) resolve(socket)
      else reject(error)
    }
    socket.once('error', settle)
    socket.once(tlsHost === null ? 'connect' : 'secureConnect', () => settle(null))
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
  })

/** TLS has no server names for literal addresses; the certificate is then checked for the address that is dialled. */
function serverName(host: string) {
  return isIP(host) === 0 ? { servername: host } : {}
}

function abortError({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('the wait is over', { cause: reason })
}
