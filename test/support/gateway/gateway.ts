import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SettingsInput } from '../../../src/config/schema.ts'
import { answer, type MockEngine, startMockEngine } from '../mock-engine/index.ts'
import { type Exchange, judgeExchange } from '../openapi/judge-exchange.ts'
import { type Account, type AccountOptions, createAccount } from './accounts.ts'
import { findFreePort } from './free-port.ts'
import { GatewayClient, type StreamReading } from './gateway-client.ts'
import { GatewayProcess } from './gateway-process.ts'
import {
  type EngineOverrides,
  type EngineSettings,
  engineSettings,
  type ModelOverrides,
  modelSettings,
  openLimits,
} from './gateway-settings.ts'
import { type InstallationStore, openInstallationStore } from './installation-store.ts'
import { type CommandResult, type Installation, rialtoJson, runRialto } from './rialto-command.ts'
import { type PlantedSecrets, plantSecrets } from './secrets.ts'

/** More would say the same again. */
const surprisesMax = 20

export interface GatewayOptions {
  /** Mock engines to start, each with what its entry in the configuration says beside the ordinary. Default: `main`. */
  readonly engines?: Readonly<Record<string, EngineOverrides>>
  /** Further entries, such as dead addresses, or a mock engine under several names. */
  readonly nodes?: (context: { engines: Engines; secrets: PlantedSecrets }) => readonly EngineSettings[]
  /** Default: `test/model`, served by the first engine. The first one is what the client asks for. */
  readonly models?: Readonly<Record<string, ModelOverrides>>
  /** Further keys of rialto.yaml. */
  readonly settings?: SettingsInput
  readonly environment?: Readonly<Record<string, string>>
  /** Default: SQLite in the data folder. */
  readonly store?: PostgresUnderTest
  /** Further words after `rialto serve`, such as `--workers 4`. */
  readonly words?: readonly string[]
  /** Runs when the installation's folder is there and nothing has been started in it. */
  readonly beforeServe?: (installation: Installation) => void | Promise<void>
  /** Accounts to make beside `main`. */
  readonly accounts?: Readonly<Record<string, AccountOptions>>
}

/** A database of the test. */
interface PostgresUnderTest {
  readonly url: string
  /** What the gateway gets to read instead, such as the way through a proxy. */
  readonly gatewayUrl?: string
}

export type Engines = ReadonlyMap<string, MockEngine>

/** Everything that the harness has seen of one installation, for the checks after each test. */
export interface Witness {
  /** Error answers, and errors inside of streams. */
  readonly errors: { readonly status: number; readonly text: string }[]
  readonly streams: StreamReading[]
  /** Where exchanges were not as `/openapi.json` says, in words. */
  readonly surprises: string[]
  /** Runs of the gateway, the current one last. */
  readonly runs: GatewayProcess[]
}

/** What is asked for, and started with, each time. */
interface Settled {
  readonly model: string
  readonly words: readonly string[]
  /** Where the books are: a file, or the URL of a database. */
  readonly books: string
}

/** A gateway as an operator runs it, with its engines, accounts and callers. */
export class Gateway {
  readonly secrets: PlantedSecrets
  readonly installation: Installation
  readonly engines: Engines
  readonly witness: Witness = { errors: [], streams: [], surprises: [], runs: [] }
  readonly accounts = new Map<string, Account>()
  readonly port: number
  readonly #model: string
  readonly #words: readonly string[]
  readonly #books: string
  #store: Promise<InstallationStore> | undefined
  #client: GatewayClient | undefined

  private constructor(parts: Pick<Gateway, 'secrets' | 'installation' | 'engines' | 'port'> & Settled) {
    this.secrets = parts.secrets
    this.installation = parts.installation
    this.engines = parts.engines
    this.port = parts.port
    this.#model = parts.model
    this.#words = parts.words
    this.#books = parts.books
  }

  /** Starts engines and gateway and makes the accounts. `close` ends all of it. */
  static async start(options: GatewayOptions = {}): Promise<Gateway> {
    const gateway = await Gateway.#install(options)
    try {
      await options.beforeServe?.(gateway.installation)
      await gateway.serve()
      const accounts = Object.entries({ main: {}, ...options.accounts })
      for (const [name, account] of accounts) await gateway.openAccount(name, account)
      return gateway
    } catch (error) {
      await gateway.close()
      throw error
    }
  }

  static async #install(options: GatewayOptions): Promise<Gateway> {
    const { engines: wanted = { main: {} }, models = { 'test/model': {} } } = options
    const secrets = plantSecrets()
    const started = await Promise.all(Object.keys(wanted).map(async id => [id, await startMockEngine()] as const))
    const engines = new Map(started)
    const port = await findFreePort()
    const folder = await mkdtemp(join(tmpdir(), 'rialto-test-'))
    const settings: SettingsInput = {
      engines: [
        ...started.map(([id, { url }]) => engineSettings(id, url, { secrets, overrides: wanted[id] ?? {} })),
        ...(options.nodes?.({ engines, secrets }) ?? []),
      ],
      models: Object.entries(models).map(([id, model]) => modelSettings(id, { engines: firstOf(wanted), ...model })),
      limits: openLimits,
      ...(options.store === undefined ? {} : { store: options.store.gatewayUrl ?? options.store.url }),
      ...options.settings,
      server: { port, ...options.settings?.server },
    }
    const installation = {
      folder,
      configFile: join(folder, 'rialto.yaml'),
      environment: { ...ownEnvironment(folder, secrets), ...options.environment },
    }
    // JSON is YAML, so that no writer of YAML stands between a test and what it says.
    await writeFile(installation.configFile, JSON.stringify(settings, null, 2))
    for (const engine of engines.values()) engine.always(ordinaryAnswer(secrets))
    const model = Object.keys(models)[0] ?? ''
    const books = options.store?.url ?? join(folder, 'data', 'rialto.db')
    return new Gateway({ secrets, installation, engines, port, model, words: options.words ?? [], books })
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get process(): GatewayProcess {
    const run = this.witness.runs.at(-1)
    if (run === undefined) throw new Error('the gateway was never started')
    return run
  }

  /** The engine with this id, or the first one. */
  engine(id?: string): MockEngine {
    const engine = id === undefined ? [...this.engines.values()][0] : this.engines.get(id)
    if (engine === undefined) throw new Error(`there is no engine ${id}`)
    return engine
  }

  account(name = 'main'): Account {
    const account = this.accounts.get(name)
    if (account === undefined) throw new Error(`there is no account ${name}`)
    return account
  }

  get client(): GatewayClient {
    this.#client ??= new GatewayClient({
      url: this.url,
      key: this.account().key,
      model: this.#model,
      prompt: `Say something about ${this.secrets.prompt}.`,
      onError: (status, text) => this.witness.errors.push({ status, text }),
      onStream: reading => this.witness.streams.push(reading),
      onExchange: exchange => this.#compare(exchange),
    })
    return this.#client
  }

  async openAccount(name: string, options: AccountOptions = {}): Promise<Account> {
    const account = await createAccount(await this.store(), name, options)
    this.accounts.set(name, account)
    return account
  }

  /** The books, opened beside the gateway. */
  store(): Promise<InstallationStore> {
    this.#store ??= openInstallationStore(this.#books, this.secrets.gatewaySecret)
    return this.#store
  }

  rialto(...parameters: string[]): Promise<CommandResult> {
    return runRialto(this.installation, parameters)
  }

  rialtoJson<Value>(...parameters: string[]): Promise<Value> {
    return rialtoJson(this.installation, parameters)
  }

  /** Starts the gateway, or starts it again after it ended. */
  async serve(options: { environment?: Readonly<Record<string, string>>; untilReady?: boolean } = {}): Promise<void> {
    this.witness.runs.push(
      await GatewayProcess.start(this.installation, { port: this.port, words: this.#words, ...options }),
    )
  }

  /** Forgets what engines were told and saw; the books stay. */
  forget(): void {
    for (const engine of this.engines.values()) {
      engine.forget()
      engine.always(ordinaryAnswer(this.secrets))
    }
    this.witness.errors.length = 0
    this.witness.streams.length = 0
    this.witness.surprises.length = 0
  }

  #compare(exchange: Exchange): void {
    const { surprises } = this.witness
    if (surprises.length < surprisesMax) surprises.push(...judgeExchange(exchange))
  }

  async close(): Promise<void> {
    for (const run of this.witness.runs) if (run.exit === undefined) await run.stop()
    await (await this.#store)?.close()
    await Promise.all([...this.engines.values()].map(engine => engine.close()))
    await rm(this.installation.folder, { recursive: true, force: true })
  }
}

/** Five tokens, one of which must not be seen in any log. */
function ordinaryAnswer(secrets: PlantedSecrets) {
  return answer({ text: ['The', ' engine', ' says ', secrets.answer, '.'] })
}

function firstOf(engines: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(engines).slice(0, 1)
}

function ownEnvironment(folder: string, secrets: PlantedSecrets): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    NODE_ENV: 'production',
    RIALTO_DATA: join(folder, 'data'),
    RIALTO_SECRET: secrets.gatewaySecret,
    RIALTO_ADMIN_TOKEN: secrets.operatorToken,
  }
}
