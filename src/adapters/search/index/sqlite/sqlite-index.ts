import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { IndexFull, type SearchIndex } from '../../../../domain/search/search-index.ts'
import { createPeer, type Peer } from '../../../../lib/peer.ts'
import { programFile } from '../../../../lib/program-file.ts'
import type { IndexQuestions, IndexStart, NoQuestions } from './index-protocol.ts'

const findMs = 5_000
const changeMs = 60_000
const closeMs = 2_000

interface IndexThread {
  readonly worker: Worker
  readonly peer: Peer<IndexQuestions, NoQuestions>
}

/**
 * The index beside a store in a file. Its thread starts with the first question, and anew should it have died: what it
 * holds can be added again, so that its loss is nobody else's. Nothing is created by looking.
 */
export function openSqliteIndex(path: string): SearchIndex {
  let running: IndexThread | null = null

  function thread(): IndexThread {
    running ??= startThread(path, () => {
      running = null
    })
    return running
  }

  const isThere = () => running !== null || path === ':memory:' || existsSync(path)

  return {
    async put(document) {
      const effect = await thread().peer.ask('put', document, changeMs)
      if (effect === 'full') throw new IndexFull()
    },
    remove: async address => isThere() && (await thread().peer.ask('remove', address, changeMs)),
    read: async address => (isThere() ? await thread().peer.ask('read', address, changeMs) : null),
    list: async (after, limit) => (isThere() ? await thread().peer.ask('list', { after, limit }, changeMs) : []),
    find: async (query, limit) => (isThere() ? await thread().peer.ask('find', { query, limit }, findMs) : []),
    isEmpty: async () => !isThere() || (await thread().peer.ask('isEmpty', null, findMs)),
    async close() {
      const ending = running
      if (ending === null) return
      // A thread that does not answer is ended all the same.
      await ending.peer.ask('close', null, closeMs).catch(() => null)
      await ending.worker.terminate()
    },
  }
}

function startThread(path: string, onGone: () => void): IndexThread {
  const worker = new Worker(programFile('index-thread'), { workerData: { path } satisfies IndexStart })
  // Whoever waits for an answer is told by the line; an index must not keep a process alive.
  worker.on('error', onGone)
  worker.once('exit', onGone)
  worker.unref()
  const peer = createPeer<IndexQuestions, NoQuestions>({
    send: message => worker.postMessage(message),
    onMessage: listener => worker.on('message', listener),
    onClosed: listener => worker.once('exit', listener),
  })
  return { worker, peer }
}
