import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SettingsInput } from '../../src/config/schema.ts'
import { findFreePort } from '../support/gateway/free-port.ts'
import { GatewayProcess } from '../support/gateway/gateway-process.ts'
import { engineModelOf, openLimits, testPricing } from '../support/gateway/gateway-settings.ts'
import { exchange, type HttpAnswer } from '../support/gateway/http-exchange.ts'
import { eventsNamed } from '../support/gateway/log-lines.ts'
import { type Installation, rialtoJson } from '../support/gateway/rialto-command.ts'
import { answer, type MockEngine, startMockEngine } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'

export const operatorToken = 'rialto-operator-of-the-test'
export const secret = 'one-secret-for-all-replicas'

/** Settings as a test changes them: those of the file, with what is in it for certain. */
export type Settings = SettingsInput & {
  models: NonNullable<SettingsInput['models']>
  engines: NonNullable<SettingsInput['engines']>
}

/** A gateway on a host of its own: its folder, its file, its port. */
export class Replica {
  readonly installation: Installation
  readonly port: number
  #process: GatewayProcess | undefined

  constructor(installation: Installation, port: number) {
    this.installation = installation
    this.port = port
  }

  get output(): string {
    return this.#process?.output ?? ''
  }

  async start(): Promise<void> {
    this.#process = await GatewayProcess.start(this.installation, { port: this.port })
  }

  async stop(): Promise<void> {
    await this.#process?.stop()
  }

  /** Has it read its file again, changed or not. */
  async readAgain(): Promise<void> {
    const before = eventsNamed(this.output, 'config.reloaded').length
    this.#process?.signal('SIGHUP')
    await waitFor('the file to be read', () => eventsNamed(this.output, 'config.reloaded').length > before)
  }

  async readSettings(): Promise<Settings> {
    return JSON.parse(await readFile(this.installation.configFile, 'utf8')) as Settings
  }

  /** Writes its file as an editor does. */
  async edit(change: (settings: Settings) => void): Promise<void> {
    const settings = await this.readSettings()
    change(settings)
    await writeFile(this.installation.configFile, JSON.stringify(settings, null, 2))
  }

  get(path: string, token?: string): Promise<HttpAnswer> {
    return exchange(`http://127.0.0.1:${this.port}${path}`, { headers: authorization(token) })
  }

  post(path: string, body: unknown, token?: string): Promise<HttpAnswer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = { 'content-type': 'application/json', ...authorization(token) }
    return exchange(`http://127.0.0.1:${this.port}${path}`, { method: 'POST', headers, body: text })
  }

  chat(key: string, more: object = {}): Promise<HttpAnswer> {
    const messages = [{ role: 'user', content: 'Hello' }]
    return this.post('/v1/chat/completions', { model: 'test/model', messages, ...more }, key)
  }

  /** A command of the operator on this host. */
  rialto<Value>(...parameters: string[]): Promise<Value> {
    return rialtoJson<Value>(this.installation, parameters)
  }
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

/** Several gateways over one database and the same two engines. */
export class ReplicaSet {
  readonly replicas: readonly Replica[]
  readonly engines: Readonly<Record<'a' | 'b', MockEngine>>

  private constructor(replicas: readonly Replica[], engines: ReplicaSet['engines']) {
    this.replicas = replicas
    this.engines = engines
  }

  /** Each gateway's file says the same but for its own port. The first one starts alone and makes the installation. */
  static async start(store: string, count: number): Promise<ReplicaSet> {
    const engines = { a: await startMockEngine(), b: await startMockEngine() }
    for (const engine of Object.values(engines)) engine.always(answer({ text: ['Hello', '.'] }))
    const replicas: Replica[] = []
    for (let index = 0; index < count; index++) replicas.push(await install(store, engines))
    const set = new ReplicaSet(replicas, engines)
    try {
      const [first, ...others] = replicas
      await first?.start()
      await Promise.all(others.map(replica => replica.start()))
      return set
    } catch (error) {
      await set.close()
      throw error
    }
  }

  /** Of the account that the first start made, with 5 USD. */
  get key(): string {
    return /vk-\w+/.exec(this.replicas[0]?.output ?? '')?.[0] ?? ''
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.map(replica => replica.stop()))
    await Promise.all(Object.values(this.engines).map(engine => engine.close()))
    for (const { installation } of this.replicas) await rm(installation.folder, { recursive: true, force: true })
  }
}

async function install(store: string, engines: ReplicaSet['engines']): Promise<Replica> {
  const port = await findFreePort()
  const folder = await mkdtemp(join(tmpdir(), 'rialto-replica-'))
  const settings: SettingsInput = {
    server: { port },
    store,
    engines: Object.entries(engines).map(([id, { url }]) => ({ id, baseUrl: url, apiKey: `\${ENGINE_KEY}` })),
    models: [
      {
        id: 'test/model',
        served: Object.keys(engines).map(engine => ({ engine, model: engineModelOf('test/model') })),
        tier: 'XS',
        contextTokens: 100_000,
        maxOutputTokens: 1_000,
        pricing: testPricing,
      },
    ],
    limits: openLimits,
  }
  const configFile = join(folder, 'rialto.yaml')
  await writeFile(configFile, JSON.stringify(settings, null, 2))
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    NODE_ENV: 'production',
    RIALTO_DATA: join(folder, 'data'),
    RIALTO_SECRET: secret,
    RIALTO_ADMIN_TOKEN: operatorToken,
    ENGINE_KEY: 'sk-engine',
  }
  return new Replica({ folder, configFile, environment }, port)
}
