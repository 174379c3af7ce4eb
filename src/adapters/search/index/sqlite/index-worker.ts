import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createPeer } from '../../../../lib/peer.ts'
import { openIndexDatabase } from './index-database.ts'
import type { IndexQuestions, IndexStart, NoQuestions } from './index-protocol.ts'

/** The thread that owns the connection to the index, so that neither searching nor adding holds up the main thread. */
const { path } = workerData as IndexStart
serve(parentPort)

function serve(port: MessagePort | null): void {
  if (port === null) throw new Error('this file is the start of a worker thread')
  const database = openIndexDatabase(path)
  const peer = createPeer<NoQuestions, IndexQuestions>({
    send: message => port.postMessage(message),
    onMessage: listener => port.on('message', listener),
    onClosed: listener => port.once('close', listener),
  })
  peer.answer('put', document => database.put(document))
  peer.answer('remove', address => database.remove(address))
  peer.answer('read', address => database.read(address))
  peer.answer('list', ({ after, limit }) => database.list(after, limit))
  peer.answer('find', ({ query, limit }) => database.find(query, limit))
  peer.answer('isEmpty', () => database.isEmpty())
  peer.answer('close', () => {
    database.close()
    return null
  })
}
