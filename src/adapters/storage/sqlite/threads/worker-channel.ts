import { Worker } from 'node:worker_threads'
import type { GroupChannel } from '../../groups/group-sender.ts'
import type { OperationResult } from '../../groups/operations.ts'
import { unpackError } from '../../groups/unpack-error.ts'
import { decodeResult, encodeOperation } from '../../groups/wire/group-wire.ts'
import type { WorkerReply, WorkerRequest, WorkerStart } from './protocol.ts'

export interface WorkerChannelOptions {
  readonly file: URL
  readonly start: WorkerStart
  /** Called once when the worker fails after it was ready: what it owned cannot be trusted any more. */
  readonly onFatal: (error: Error) => void
}

const closeWaitMs = 5_000

/** Starts a worker and resolves when it has opened its files. @throws Error with the reason why it could not. */
export function openWorkerChannel({ file, start, onFatal }: WorkerChannelOptions): Promise<GroupChannel> {
  const worker = new Worker(file, { workerData: start })
  const post = (request: WorkerRequest) => worker.postMessage(request)
  return new Promise((resolveOpen, rejectOpen) => {
    let fail = rejectOpen
    let pending: { resolve: (results: readonly OperationResult[]) => void; reject: (error: Error) => void } | null =
      null
    let closing: (() => void) | null = null

    function lose(error: Error): void {
      pending?.reject(error)
      pending = null
      closing?.()
      fail(error)
      fail = () => undefined
    }

    function receive(reply: WorkerReply): void {
      if (reply === 'ready') {
        fail = onFatal
        resolveOpen({ run, close })
      } else if (reply === 'closed') closing?.()
      else if ('fatal' in reply) lose(unpackError(reply.fatal))
      else {
        pending?.resolve(reply.results.map(decodeResult))
        pending = null
      }
    }

    function run(group: Parameters<GroupChannel['run']>[0]): Promise<readonly OperationResult[]> {
      return new Promise((resolve, reject) => {
        pending = { resolve, reject }
        post({ group: group.map(encodeOperation) })
      })
    }

    /** The thread ends by itself after it closed its files, and is ended when it does not. */
    async function close(): Promise<void> {
      fail = () => undefined
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, closeWaitMs)
        closing = () => {
          clearTimeout(timer)
          resolve()
        }
        post('close')
      })
      await worker.terminate()
    }

    worker.on('message', receive)
    worker.on('error', error => lose(error instanceof Error ? error : new Error('a worker failed')))
    worker.on('exit', () => lose(new Error('a worker of the store ended')))
  })
}
