import { createServer, type Server, type Socket } from 'node:net'
import {
  burstAnswer,
  jsonAnswer,
  modelsAnswer,
  notFoundAnswer,
  streamChunks,
  streamEnd,
  streamHead,
} from './answers.ts'
import { createHttpReader } from './http-reader.ts'

/** How much of a body is read for the key `bench`, which chooses the answer. */
const bodyPrefixBytes = 512

/** What may wait unsent on one paced stream; beyond it the engine skips ticks, as a paused engine does. */
const maxUnsentBytes = 65_536

const pacedStart = Buffer.concat([streamHead, ...streamChunks.slice(0, 1)])

/**
 * An OpenAI-compatible engine that answers from memory: raw sockets and ready-made bytes, so that what is measured in
 * front of it is the proxy. The body's top-level key `bench`, among its first 512 bytes, chooses the answer:
 * `json` (the default), `burst` (a whole stream in one write) or `paced-N` (an event each N milliseconds).
 */
export function createMockEngine(): Server {
  return createServer({ noDelay: true }, serveConnection)
}

function serveConnection(socket: Socket): void {
  let route = ''
  let prefix = ''
  const reader = createHttpReader({
    onHead(head) {
      route = head.slice(0, head.indexOf(' HTTP/1.1'))
      prefix = ''
    },
    onBody(bytes, start, end) {
      if (prefix.length < bodyPrefixBytes)
        prefix += bytes.toString('latin1', start, Math.min(end, start + bodyPrefixBytes))
    },
    onEnd: () => answer(socket, route, prefix),
  })
  socket.on('data', bytes => {
    try {
      reader.feed(bytes)
    } catch {
      // Whatever cannot be read as HTTP has no one to answer to; the caller sees the connection end.
      socket.destroy()
    }
  })
  socket.on('error', () => socket.destroy())
}

function answer(socket: Socket, route: string, bodyPrefix: string): void {
  if (route.startsWith('POST ') && route.endsWith('/chat/completions')) complete(socket, chosenAnswer(bodyPrefix))
  else if (route.startsWith('GET ') && route.endsWith('/models')) socket.write(modelsAnswer)
  else socket.write(notFoundAnswer)
}

function complete(socket: Socket, choice: string): void {
  if (choice === 'burst') socket.write(burstAnswer)
  else if (choice.startsWith('paced-')) sendPaced(socket, Number(choice.slice('paced-'.length)))
  else socket.write(jsonAnswer)
}

function chosenAnswer(bodyPrefix: string): string {
  const key = '"bench":"'
  const start = bodyPrefix.indexOf(key)
  if (start < 0) return 'json'
  return bodyPrefix.slice(start + key.length, bodyPrefix.indexOf('"', start + key.length))
}

/** The first event goes out at once with the head, as an engine's first token does; the others follow at the pace. */
function sendPaced(socket: Socket, intervalMs: number): void {
  let next = 1
  const timer = setInterval(() => {
    if (socket.writableLength > maxUnsentBytes) return
    const chunk = streamChunks[next++]
    if (chunk !== undefined) {
      socket.write(chunk)
      return
    }
    socket.write(streamEnd)
    stop()
  }, intervalMs)
  const stop = () => {
    clearInterval(timer)
    socket.off('close', stop)
  }
  socket.on('close', stop)
  socket.write(pacedStart)
}
