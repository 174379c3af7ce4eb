import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerOf, type SearchService } from './recorded-answers.ts'

/** What the server does with every question until it is told otherwise. */
type SearchBehaviour =
  | { readonly kind: 'results'; readonly count: number }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'body'; readonly body: string; readonly contentType?: string }
  | { readonly kind: 'silent' }
  /** Silent until the server is told to behave otherwise, which is then the answer. */
  | { readonly kind: 'held' }
  | { readonly kind: 'stalls' }
  | { readonly kind: 'huge' }
  | { readonly kind: 'redirect'; readonly to: string }

export interface SearchQuestion {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
  /** Whether the asker went away before the answer was whole. */
  wasLeft: boolean
}

export interface MockSearch {
  readonly address: string
  readonly questions: readonly SearchQuestion[]
  behave(behaviour: SearchBehaviour): void
  /** Behaves so once the next question has had its answer. */
  afterNext(behaviour: SearchBehaviour): void
  close(): Promise<void>
}

/** A search service on loopback that answers in the shape which its maker documents, and fails as it is told. */
export async function startMockSearch(service: SearchService): Promise<MockSearch> {
  const questions: SearchQuestion[] = []
  const held: (() => void)[] = []
  let behaviour: SearchBehaviour = { kind: 'results', count: 100 }
  let following: SearchBehaviour | undefined
  const server = createServer((request, response) => {
    void readQuestion(request).then(question => {
      questions.push(question)
      response.once('close', () => {
        question.wasLeft = !response.writableFinished
      })
      const answer = () =>
        play(response, behaviour, () => answerOf(service, question, behaviour.kind === 'results' ? behaviour.count : 0))
      if (behaviour.kind === 'held') held.push(answer)
      else answer()
      behaviour = following ?? behaviour
      following = undefined
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    questions,
    behave(next) {
      behaviour = next
      if (next.kind !== 'held') for (const answer of held.splice(0)) answer()
    },
    afterNext(next) {
      following = next
    },
    close: () => closeAll(server),
  }
}

async function readQuestion(request: IncomingMessage): Promise<SearchQuestion> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return {
    method: request.method ?? '',
    url: new URL(request.url ?? '/', 'http://mock'),
    headers: request.headers,
    body: text === '' ? null : JSON.parse(text),
    wasLeft: false,
  }
}

const json = { 'content-type': 'application/json' }
const hugeBytes = 8_388_608

function play(response: ServerResponse, behaviour: SearchBehaviour, answer: () => unknown): void {
  switch (behaviour.kind) {
    case 'results':
      return void response.writeHead(200, json).end(JSON.stringify(answer()))
    case 'status':
      return void response.writeHead(behaviour.status, { ...json, ...behaviour.headers }).end('{"error":"no"}')
    case 'body':
      return void response
        .writeHead(200, { 'content-type': behaviour.contentType ?? 'application/json' })
        .end(behaviour.body)
    case 'silent':
    case 'held':
      return
    case 'stalls':
      return void response.writeHead(200, json).write('{"results":[')
    case 'huge':
      return void response.writeHead(200, json).end(`{"results":["${'x'.repeat(hugeBytes)}"]}`)
    case 'redirect':
      return void response.writeHead(302, { location: behaviour.to }).end()
  }
}

function closeAll(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise(resolve => server.close(() => resolve()))
}
