import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import type { Child } from './child-process.ts'

/** A port that is free now; asked for once per process that the bench starts. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

const pollMs = 20
const requestTimeoutMs = 2_000
const readyTimeoutMs = 20_000
const logTailBytes = 2_000

/**
 * Asks a process that was just started until it answers 200. One that does not is ended.
 * @returns the milliseconds that it took
 * @throws Error with the end of the log when the process ends first, or is not ready within 20 s
 */
export async function waitUntilReady(child: Child, url: string, logFile?: string): Promise<number> {
  const began = performance.now()
  while (performance.now() - began < readyTimeoutMs && !child.hasEnded()) {
    if ((await statusOf(url)) === 200) return performance.now() - began
    await new Promise(resolve => setTimeout(resolve, pollMs))
  }
  const reason = child.hasEnded() ? 'the process ended' : `${readyTimeoutMs} ms passed`
  await child.stop()
  const log = logFile === undefined ? '' : `\n${readFileSync(logFile, 'utf8').slice(-logTailBytes)}`
  throw new Error(`${reason} before ${url} answered 200${log}`)
}

function statusOf(url: string): Promise<number> {
  return new Promise(resolve => {
    const request = get(url, { agent: false, timeout: requestTimeoutMs }, response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(0))
  })
}
