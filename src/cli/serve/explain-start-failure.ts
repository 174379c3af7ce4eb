import type { Config } from '../../config/config.ts'
import { CommandError } from '../command-error.ts'

/** What the system says when an address cannot be listened on, and what an operator does about it. */
export function explainStartFailure(error: unknown, { server }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const place = `${server.host} port ${server.port}`
  switch (code) {
    case 'EADDRINUSE':
      return new CommandError(`${place} is in use: stop what listens there, or choose another with --port.`)
    case 'EACCES':
      return new CommandError(`${place} is not allowed for this user: choose a port above 1023 with --port.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CommandError(`${server.host} is no address of this machine: correct --host or server.host.`)
    default:
      return error
  }
}
