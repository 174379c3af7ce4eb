import type { EngineRequest, EngineSocket } from './engine-request.ts'

/** Older records are dropped, so that load tests do not fill the memory. */
const MAX_RECORDS = 20_000

/** What a mock engine saw. */
export class EngineLog {
  requests: EngineRequest[] = []
  probes: EngineRequest[] = []
  sockets: EngineSocket[] = []
  protocolErrors: string[] = []
  behaviourErrors: unknown[] = []
  #requestCount = 0
  #droppedTokens = 0

  get servedTokens(): number {
    return this.requests.reduce((sum, request) => sum + request.tokensGenerated, this.#droppedTokens)
  }

  addRequest(makeRequest: (index: number) => EngineRequest): EngineRequest {
    const request = makeRequest(this.#requestCount)
    this.#requestCount += 1
    const list = request.method === 'GET' ? this.probes : this.requests
    list.push(request)
    if (list.length > MAX_RECORDS) this.#droppedTokens += list.shift()?.tokensGenerated ?? 0
    return request
  }

  addSocket(socket: EngineSocket): void {
    this.sockets.push(socket)
    if (this.sockets.length > MAX_RECORDS) this.sockets.shift()
  }

  /** Empties the records. Errors of behaviours stay, because they must fail the test. */
  forget(): void {
    this.requests = []
    this.probes = []
    this.sockets = []
    this.protocolErrors = []
    this.#droppedTokens = 0
  }
}
