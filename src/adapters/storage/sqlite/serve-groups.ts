import type { MessagePort } from 'node:worker_threads'
import { packError } from './packed-error.ts'
import type { Operation, OperationResult, WorkerReply, WorkerRequest } from './protocol.ts'

export interface GroupServer {
  run(group: readonly Operation[]): Promise<OperationResult[]>
  close(): void
}

/**
 * A worker's life: opens, says so, answers groups one after the other until it is told to close. Whatever it cannot
 * handle it reports as fatal and stops answering.
 */
export function serveGroups(port: MessagePort | null, open: () => Promise<GroupServer>): void {
  if (port === null) throw new Error('this file is the start of a worker thread')
  const reply = (message: WorkerReply) => port.postMessage(message)
  const fail = (error: unknown) => reply({ fatal: packError(error) })

  open().then(server => {
    const answer = async (request: WorkerRequest) => {
      if (request !== 'close') return reply({ results: await server.run(request.group) })
      server.close()
      reply('closed')
      port.close()
    }
    port.on('message', (request: WorkerRequest) => {
      answer(request).catch(fail)
    })
    reply('ready')
  }, fail)
}
