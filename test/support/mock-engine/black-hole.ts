import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

export interface BlackHole {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** The accept queue holds one more than the backlog. */
const MAX_FILLERS = 8
/** On the loopback a connect that is not done by then was dropped. */
const CONNECT_MS = 250

/** The worker listens and then blocks its own event loop, so that nobody accepts. */
const WORKER_CODE = `
const { parentPort } = require('node:worker_threads')
const server = require('node:net').createServer()
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
`

/**
 * An address where a connect gets no answer at all, neither accepted nor refused: the accept queue is full, and Linux
 * drops the SYNs of further connects.
 */
export async function startBlackHole(): Promise<BlackHole> {
  const worker = new Worker(WORKER_CODE, { eval: true })
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  const fillers: Socket[] = []
  for (let full = false; !full; ) {
    if (fillers.length === MAX_FILLERS) throw new Error('the accept queue does not fill')
    const filler = connectAndStay(port)
    fillers.push(filler)
    full = await Promise.race([
      new Promise<boolean>(resolve => filler.once('connect', () => resolve(false))),
      setTimeout(CONNECT_MS, true),
    ])
  }
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    async close() {
      for (const filler of fillers) filler.destroy()
      await worker.terminate()
    },
  }
}

function connectAndStay(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' })
  // The last one is dropped, and all are cut when the worker ends: that is what they are for.
  socket.on('error', () => socket.destroy())
  return socket
}
