/**
 * The engine's process. Its parent reads one JSON line from stdout: `{"event":"ready","port":…}` or
 * `{"event":"failed","message":…}`, and holds its stdin open. When stdin ends, the parent is gone, and so is this process.
 */
import type { AddressInfo } from 'node:net'
import { parseCommandLine } from './command-line.ts'
import { createEngineServer } from './http/server.ts'
import { loadEngine } from './model/load-engine.ts'

/** Loopback only: the gateway is the one caller. */
const host = '127.0.0.1'

exitWithParent()
try {
  const { port, key, ...options } = parseCommandLine(process.argv.slice(2), process.env)
  const engine = await loadEngine(options)
  const server = createEngineServer(engine, { key })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, resolve)
  })
  const { model, contextTokens, threads } = engine.facts
  const address = server.address() as AddressInfo
  report({ event: 'ready', port: address.port, model, contextTokens, threads })
} catch (error) {
  report({ event: 'failed', message: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
  process.stdin.destroy()
}

function exitWithParent(): void {
  process.stdin.on('end', () => process.exit(0))
  process.stdin.on('error', () => process.exit(0))
  process.stdin.resume()
  // Signals to the whole process group (Ctrl-C, a service manager) are the parent's to handle: it drains first.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
}

function report(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
