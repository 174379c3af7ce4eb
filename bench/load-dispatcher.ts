import type { LoadConnection } from './load-connection.ts'

export interface LoadDispatcher {
  onIdle(connection: LoadConnection): void
  /** Nothing is sent any more. */
  stop(): void
}

const maxBacklog = 10_000

/** Decides when an idle connection sends: at once, or at a fixed rate whatever the answers take. */
export function createLoadDispatcher(ratePerSecond: number | null, onFault: (reason: string) => void): LoadDispatcher {
  const idle: LoadConnection[] = []
  const backlog: number[] = []
  const began = performance.now()
  let sent = 0
  let isStopped = false

  const takeIdle = (): LoadConnection | undefined => {
    let connection = idle.pop()
    while (connection !== undefined && !connection.isReady()) connection = idle.pop()
    return connection
  }

  const sendDue = () => {
    const now = performance.now()
    const due = Math.floor(((now - began) / 1_000) * (ratePerSecond ?? 0))
    for (; sent < due; sent++) {
      const connection = takeIdle()
      if (connection !== undefined) connection.send(now)
      else backlog.push(now)
    }
    if (backlog.length > maxBacklog) onFault('the path is slower than the rate: the backlog is full')
  }
  const ticker = ratePerSecond === null ? undefined : setInterval(sendDue, 1)

  return {
    onIdle(connection) {
      if (isStopped) return
      if (ratePerSecond === null) {
        connection.send(performance.now())
        return
      }
      const waiting = backlog.shift()
      if (waiting !== undefined) connection.send(waiting)
      else idle.push(connection)
    },
    stop() {
      isStopped = true
      clearInterval(ticker)
    },
  }
}
