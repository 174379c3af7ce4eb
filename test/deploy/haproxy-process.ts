import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../support/gateway/free-port.ts'
import { waitFor } from '../support/wait-for.ts'
import { readText } from './deploy-files.ts'

const program = 'haproxy'
const readyMs = 10_000

/** HAProxy with the configuration of deploy/compose, before gateways that are on this machine instead of in containers. */
export class HaproxyProcess {
  readonly url: string
  readonly #child: ChildProcess
  readonly #folder: string

  private constructor(parts: { url: string; child: ChildProcess; folder: string }) {
    this.url = parts.url
    this.#child = parts.child
    this.#folder = parts.folder
  }

  /** Resolves when every gateway is known to be ready. */
  static async start(gatewayPorts: readonly number[]): Promise<HaproxyProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'rialto-haproxy-'))
    const port = await findFreePort()
    const file = join(folder, 'haproxy.cfg')
    await writeFile(file, onThisMachine(port, gatewayPorts))
    const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
    const said: string[] = []
    child.stderr.setEncoding('utf8').on('data', (piece: string) => said.push(piece))
    const proxy = new HaproxyProcess({ url: `http://127.0.0.1:${port}`, child, folder })
    const answers = async () => (await fetch(`${proxy.url}/health/ready`).catch(() => null))?.status === 200
    await waitFor('HAProxy', () => child.exitCode !== null || answers(), { withinMs: readyMs })
    if (child.exitCode !== null) throw new Error(said.join(''))
    return proxy
  }

  async close(): Promise<void> {
    if (this.#child.exitCode === null) {
      this.#child.kill('SIGTERM')
      await once(this.#child, 'exit')
    }
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** Only where it listens, whom it asks and how many files it may open are other than in a container. */
function onThisMachine(port: number, gatewayPorts: readonly number[]): string {
  return gatewayPorts
    .reduce(
      (text, gatewayPort, index) => text.replace(`gateway-${index + 1}:8402`, `127.0.0.1:${gatewayPort}`),
      readText('deploy/compose/haproxy/haproxy.cfg'),
    )
    .replace('maxconn 20000', 'maxconn 1000')
    .replace('bind :8402', `bind 127.0.0.1:${port}`)
    .replace(/^resolvers docker\n(?: {2}.*\n)+/m, '')
    .replace(' resolvers docker', '')
}
