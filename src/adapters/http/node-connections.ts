import type { EventEmitter } from 'node:events'
import { Client } from 'undici'

/** One connection to a node. It is opened when it is first used, and again when it is used after it was closed. */
export class NodeConnection extends Client {
  /** Answers that the open socket has given: only one that has served before can have died while it was idle. */
  answers = 0
}

export interface NodeConnections {
  /** An idle connection, the most recently used first, or a new one. */
  take(): NodeConnection
  /** Takes back a connection whose answer is complete. Any other must be dropped. */
  give(connection: NodeConnection): void
  /** Closes the connection at once, whatever runs on it. */
  drop(connection: NodeConnection): void
  close(): Promise<void>
}

/**
 * The connections of one node. How many there are is bounded by those who take them. A pool of undici itself would open
 * another connection whenever a request is aborted, and hold what it cannot send in a queue without a bound.
 */
export function createNodeConnections(origin: string, options: Client.Options): NodeConnections {
  const all = new Set<NodeConnection>()
  const idle: NodeConnection[] = []

  function create(): NodeConnection {
    const connection = new NodeConnection(origin, options)
    connection.on('connect', () => {
      connection.answers = 0
    })
    // Only a reader that throws while it is told of a fault gets here: our bug, to be seen, but not by other requests.
    const emitter: EventEmitter = connection
    emitter.on('error', (error: Error) => process.emitWarning(error))
    connection.on('disconnect', () => forgetIdle(connection))
    all.add(connection)
    return connection
  }

  function forgetIdle(connection: NodeConnection): void {
    const index = idle.indexOf(connection)
    if (index < 0) return
    idle.splice(index, 1)
    drop(connection)
  }

  function drop(connection: NodeConnection): void {
    all.delete(connection)
    connection.destroy(null, () => undefined)
  }

  return {
    take: () => idle.pop() ?? create(),
    give(connection) {
      connection.answers += 1
      if (all.has(connection)) idle.push(connection)
    },
    drop,
    async close() {
      const open = [...all]
      all.clear()
      idle.length = 0
      await Promise.all(open.map(connection => connection.destroy()))
    },
  }
}
