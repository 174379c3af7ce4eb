import { execFile } from 'node:child_process'
import { existsSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { engineModel, publicModel } from './answers.ts'
import { startChild } from './child-process.ts'
import { findFreePort, waitUntilReady } from './loopback.ts'
import { completionPath, type Finding, type Target, type TargetContext, TargetUnavailableError } from './target.ts'

const program = fileURLToPath(new URL('../bin/rialto.js', import.meta.url))
const built = fileURLToPath(new URL('../dist', import.meta.url))
const stopGraceMs = 60_000
const commandTimeoutMs = 60_000
const account = 'bench'

/** The gateway as an operator runs it: store on disk, a paid key, its log written to a file. */
export async function startRialto(context: TargetContext): Promise<Target> {
  if (!existsSync(program) || !existsSync(built))
    throw new TargetUnavailableError('the gateway is not built (npm run build)')
  const port = await findFreePort()
  const config = join(context.folder, 'rialto.yaml')
  const logFile = join(context.folder, 'rialto.log')
  writeFileSync(config, gatewayConfig(context.enginePort, port))
  const command = (...parameters: string[]) => runCommand(context.folder, parameters)
  await command('account', 'create', account, '--credit', '10000', '--json')
  const key = readKey(await command('key', 'create', '--account', account, '--json'))
  const log = openSync(logFile, 'a')
  const child = startChild([process.execPath, program, 'serve', '--config', config, '--port', String(port)], {
    processor: context.pinning.subject,
    environment: gatewayEnvironment(context.folder),
    directory: context.folder,
    stdio: ['ignore', log, log],
  })
  const readyMs = await waitUntilReady(child, `http://127.0.0.1:${port}/health/ready`, logFile)
  const target: Target = {
    name: 'rialto',
    load: { host: '127.0.0.1', port, path: completionPath, authorization: `Bearer ${key}` },
    model: publicModel,
    isBilled: true,
    completed: 0,
    pid: child.pid,
    readyMs,
    version: `rialto on Node ${process.versions.node}`,
    async stop() {
      await child.stop(stopGraceMs)
      return [auditBooks(await command('ledger', 'verify', '--json'), target.completed)]
    },
  }
  return target
}

/** The figures count only when the gateway did its whole work: every answer has its record, and the books are right. */
function auditBooks(output: string, completed: number): Finding {
  const books: { ok?: unknown; usageRecords?: unknown; holdsOpen?: unknown } = JSON.parse(output)
  const isComplete = typeof books.usageRecords === 'number' && books.usageRecords >= completed
  return {
    isFault: books.ok !== true || books.holdsOpen !== 0 || !isComplete,
    text: `ledger verify: ok ${books.ok}, ${books.usageRecords} usage records for ${completed} whole answers, ${books.holdsOpen} open holds`,
  }
}

/** Nothing of the bench's own surroundings reaches the gateway: no engine is found by accident. */
function gatewayEnvironment(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: folder, NODE_ENV: 'production', RIALTO_DATA: join(folder, 'data') }
}

async function runCommand(folder: string, parameters: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...parameters], {
    cwd: folder,
    env: gatewayEnvironment(folder),
    timeout: commandTimeoutMs,
  })
  return stdout
}

function readKey(output: string): string {
  const { key }: { key?: unknown } = JSON.parse(output)
  if (typeof key !== 'string') throw new Error('key create printed no key')
  return key
}

function gatewayConfig(enginePort: number, port: number): string {
  return `server: { host: 127.0.0.1, port: ${port} }
engines:
  - id: mock
    kind: openai
    baseUrl: http://127.0.0.1:${enginePort}/v1
    apiKey: none
    maxConcurrency: 4096
models:
  - id: ${publicModel}
    name: Bench
    description: Answers of the bench's mock engine.
    served: [{ engine: mock, model: ${engineModel}, weight: 1 }]
    tier: XS
    contextTokens: 131072
    maxOutputTokens: 16384
    pricing: { inputUsdPerMTok: 0.25, outputUsdPerMTok: 1.00 }
limits:
  concurrencyPerAccount: unlimited
  tiers: { XS: { rpm: unlimited, tpm: unlimited } }
`
}
