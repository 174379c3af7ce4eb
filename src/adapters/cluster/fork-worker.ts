import type { ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import type { MessageLine } from '../../lib/peer.ts'

export interface ForkedWorker {
  readonly pid: number
  readonly line: MessageLine
  /** Resolves, with an exit code or a signal's name, when it is gone and everything that it had sent was heard. */
  readonly ended: Promise<string>
  kill(): void
}

/**
 * Starts this program once more, with the same command line, as a worker that shares the ports of this process.
 *
 * Connections are handed out in turn: measured with 64 kept connections on 4 workers, each gets 15 to 17 of them, while
 * workers that take them from a shared socket get 43, 14, 5 and 2, and a stream stays where it began. What that costs per
 * connection is lost among the requests that callers send on one.
 */
export function forkWorker(): ForkedWorker {
  cluster.schedulingPolicy = cluster.SCHED_RR
  // Amounts are bigint, which JSON does not know.
  cluster.setupPrimary({ serialization: 'advanced' })
  const worker = cluster.fork()
  const child = worker.process
  const closeLost = rememberConnection(child)
  const ended = new Promise<string>(resolve => {
    // `close` comes after `exit`, when the last message was read too.
    child.once('close', (code, signal) => {
      closeLost()
      resolve(signal ?? `code ${code}`)
    })
    worker.on('error', error => {
      if (child.pid === undefined) resolve(error.message)
    })
  })
  return {
    pid: child.pid ?? 0,
    line: {
      // It may be dying; that is told by its end.
      send: message => void (worker.isConnected() && child.send(message as object, undefined, {}, () => undefined)),
      onMessage: listener => void worker.on('message', listener),
      onClosed: listener => void ended.then(listener),
    },
    ended,
    kill: () => void child.kill('SIGKILL'),
  }
}

/**
 * Remembers the connection that was handed to a worker last: the next one is handed out when that one was taken. Where the
 * worker dies meanwhile nobody closes it, and its caller would wait for ever. Returns what closes it; a connection that was
 * taken is closed here already, and closing it again does nothing.
 */
function rememberConnection(child: ChildProcess): () => void {
  const send = child.send
  let last: unknown
  child.send = function remember(this: ChildProcess, ...parameters: unknown[]) {
    if (isClosable(parameters[1])) last = parameters[1]
    return Reflect.apply(send, this, parameters)
  } as ChildProcess['send']
  return () => {
    if (isClosable(last)) last.close()
  }
}

function isClosable(handle: unknown): handle is { close(): void } {
  return typeof handle === 'object' && handle !== null && 'close' in handle && typeof handle.close === 'function'
}
