import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findFreePort } from '../gateway/free-port.ts'

/** A web server of somebody else's, on a loopback port that the gateway's operator allows. */
export class FileServer {
  readonly hostAndPort: string
  readonly requests: string[] = []
  readonly #answers = new Map<string, RequestListener>()
  readonly #server = createServer((request, response) => {
    const path = request.url ?? ''
    this.requests.push(path)
    const answer = this.#answers.get(path)
    if (answer === undefined) response.writeHead(404).end()
    else answer(request, response)
  })

  private constructor(port: number) {
    this.hostAndPort = `127.0.0.1:${port}`
  }

  static async start(): Promise<FileServer> {
    const server = new FileServer(await findFreePort())
    const port = Number(server.hostAndPort.split(':')[1])
    await new Promise<void>(resolve => server.#server.listen(port, '127.0.0.1', resolve))
    return server
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Resolves paths to addresses of this server. */
  at(path: string): string {
    return `http://${this.hostAndPort}${path}`
  }

  put(path: string, contentType: string, bytes: Buffer): string {
    return this.answer(
      path,
      (_request, response) => void response.writeHead(200, { 'content-type': contentType }).end(bytes),
    )
  }

  answer(path: string, listener: RequestListener): string {
    this.#answers.set(path, listener)
    return this.at(path)
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise(resolve => this.#server.close(() => resolve()))
  }
}
