import { Client, type Dispatcher } from 'undici'

/** One request on its way, which learns which connection of the pool took it. */
export interface ConnectionUser extends Dispatcher.DispatchOptions {
  connection: NodeConnection | null
}

function isConnectionUser(options: Dispatcher.DispatchOptions): options is ConnectionUser {
  return 'connection' in options
}

/**
 * One connection of a node's pool. It knows how many answers the open socket has given: only a socket that has served
 * before can be one that the node closed while it was idle.
 */
export class NodeConnection extends Client {
  answers = 0

  constructor(origin: URL, options: Client.Options) {
    super(origin, options)
    this.on('connect', () => {
      this.answers = 0
    })
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (isConnectionUser(options)) options.connection = this
    return super.dispatch(options, handler)
  }
}
