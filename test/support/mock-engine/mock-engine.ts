import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { answer } from './answer.ts'
import { EngineLog } from './engine-log.ts'
import type { EngineRequest, EngineSocket } from './engine-request.ts'
import { ServedSocket } from './served-socket.ts'
import { type Behaviour, fixedResponse } from './step.ts'

/** While the engine refuses, another socket may take its port for a moment. */
const LISTEN_ATTEMPTS = 40
const LISTEN_RETRY_MS = 50
const MODEL_LIST = JSON.stringify({ object: 'list', data: [{ id: 'mock-model', object: 'model', owned_by: 'mock' }] })

/** Starts an OpenAI-compatible upstream on a free port of 127.0.0.1. It answers correctly until told otherwise. */
export async function startMockEngine(): Promise<MockEngine> {
  const engine = new MockEngine()
  await engine.refuse(false)
  return engine
}

export class MockEngine {
  readonly #log = new EngineLog()
  readonly #live = new Set<ServedSocket>()
  readonly #queue: Behaviour[] = []
  #choose: (request: EngineRequest) => Behaviour = () => answer()
  #probe: Behaviour = () => fixedResponse(200, MODEL_LIST, 'application/json')
  #server: Server | undefined
  #port = 0
  #socketCount = 0

  /** Base address of the API, `http://127.0.0.1:PORT/v1`. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}/v1`
  }

  get port(): number {
    return this.#port
  }

  /** Every request except GETs, from the moment its head arrived; oldest first. */
  get requests(): readonly Readonly<EngineRequest>[] {
    return this.#log.requests
  }

  /** GET requests: health probes and model lists. */
  get probes(): readonly Readonly<EngineRequest>[] {
    return this.#log.probes
  }

  get sockets(): readonly Readonly<EngineSocket>[] {
    return this.#log.sockets
  }

  get openSockets(): number {
    return [...this.#live].filter(served => served.record.closedAt === undefined).length
  }

  /** Tokens generated over all recorded requests, delivered or not. */
  get servedTokens(): number {
    return this.#log.servedTokens
  }

  /** Violations of HTTP/1.1 by the peer: each one is a desynchronised or smuggling client. */
  get protocolErrors(): readonly string[] {
    return this.#log.protocolErrors
  }

  /** How many behaviours given to `next` wait for their request. */
  get queued(): number {
    return this.#queue.length
  }

  /** Sets the behaviour of all requests for which nothing is queued. The default is `answer()`. */
  always(behaviour: Behaviour): void {
    this.#choose = () => behaviour
  }

  /** Like `always`, chosen for each request. */
  script(choose: (request: EngineRequest) => Behaviour): void {
    this.#choose = choose
  }

  /** Queues behaviours: each is used by one request, in the order in which their bodies are complete. */
  next(...behaviours: Behaviour[]): void {
    this.#queue.push(...behaviours)
  }

  /** Sets the behaviour of GET requests. The default answers 200 with a model list. */
  probe(behaviour: Behaviour): void {
    this.#probe = behaviour
  }

  /** With true stops listening: connects are refused, open sockets stay. With false listens again on the same port. */
  async refuse(refusing: boolean): Promise<void> {
    if (refusing) this.#stopListening()
    else if (this.#server === undefined) {
      this.#server = createServer(socket => this.#accept(socket))
      await listen(this.#server, this.#port)
      this.#port = (this.#server.address() as AddressInfo).port
    }
  }

  /**
   * Cuts all open sockets, idle ones too. A peer that has not read everything yet may see the end of the stream
   * where it should see the reset: libuv reports what it finds first.
   */
  dropSockets(how: 'close' | 'reset'): void {
    for (const served of this.#live) served.drop(how)
  }

  /** Refuses connects and resets all sockets, as a process that died. `refuse(false)` starts it again. */
  crash(): void {
    this.#stopListening()
    this.dropSockets('reset')
  }

  /** Empties the records and the queue; behaviours and sockets stay. */
  forget(): void {
    this.#log.forget()
    this.#queue.length = 0
  }

  /** Cuts everything and waits for it. Throws when a behaviour threw, so that no test passes on a broken script. */
  async close(): Promise<void> {
    this.#stopListening()
    const closing = [...this.#live].map(served => served.closed)
    this.dropSockets('close')
    await Promise.all(closing)
    const errors = this.#log.behaviourErrors
    if (errors.length > 0) throw new AggregateError(errors, `a behaviour of the mock engine threw: ${errors[0]}`)
  }

  /** The kernel refuses connects from here on; open connections stay. */
  #stopListening(): void {
    this.#server?.close()
    this.#server = undefined
  }

  #accept(socket: Socket): void {
    const served = new ServedSocket(socket, this.#socketCount, {
      record: makeRequest => this.#log.addRequest(makeRequest),
      chooseEarly: request =>
        request.method !== 'GET' && this.#queue[0]?.beforeBody === true ? this.#queue.shift() : undefined,
      choose: request => (request.method === 'GET' ? this.#probe : (this.#queue.shift() ?? this.#choose(request))),
      reportProtocolError: message => this.#log.protocolErrors.push(message),
      reportBehaviourError: error => this.#log.behaviourErrors.push(error),
    })
    this.#socketCount += 1
    this.#live.add(served)
    this.#log.addSocket(served.record)
    // It cannot reject: what a behaviour throws is reported above.
    void served.closed.then(() => this.#live.delete(served))
  }
}

async function listen(server: Server, port: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host: '127.0.0.1', backlog: 1024 }, () => {
          server.off('error', reject)
          resolve()
        })
      })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || attempt === LISTEN_ATTEMPTS) throw error
      await setTimeout(LISTEN_RETRY_MS)
    }
  }
}
