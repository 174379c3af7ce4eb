import type { MessagePort } from 'node:worker_threads'
import type { Operation, OperationResult } from '../../groups/operations.ts'
import { decodeOperation, encodeResult } from '../../groups/wire/group-wire.ts'
import { packError } from '../pack-error.ts'
import type { WorkerReply, WorkerRequest } from './protocol.ts'

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
      if (request === 'close') {
        server.close()
        reply('closed')
        port.close()
        return
      }
      const group = request.group.map(decodeOperation)
      const results = await server.run(group)
      reply({ results: group.map(({ kind }, index) => encodeResult(kind, resultAt(results, index))) })
    }
    port.on('message', (request: WorkerRequest) => {
      answer(request).catch(fail)
    })
    reply('ready')
  }, fail)
}

function resultAt(results: readonly OperationResult[], index: number): OperationResult {
  const result = results[index]
  if (result === undefined) throw new Error('a group has an operation without a result')
  return result
}
