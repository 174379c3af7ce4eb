import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Access, Client, Fragment, Outcome, Question } from '../client.ts'
import type { ClientTraits } from '../contract/traits.ts'
import { temperature, toolRoundsMax, unknownParameter, weatherIn, weatherTool } from '../scenes.ts'

const driver = fileURLToPath(new URL('./driver.py', import.meta.url))
const callMsMax = 25_000

export const openAiPythonTraits: ClientTraits = {
  failures: {
    classes: {
      400: 'BadRequestError',
      401: 'AuthenticationError',
      402: 'APIStatusError',
      403: 'PermissionDeniedError',
      404: 'NotFoundError',
      429: 'RateLimitError',
      502: 'InternalServerError',
      504: 'InternalServerError',
    },
    brokenStream: { className: 'APIError', status: null, code: 'upstream_error' },
    stoppedWaiting: 'APITimeoutError',
  },
}

/** A client that runs in a Python process of its own, which is started with the first call and ended by `close`. */
export interface PythonClient extends Client {
  close(): Promise<void>
}

interface SettingsReply {
  readonly text: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly cost: { readonly usd: number; readonly diem: number }
}

export interface OfficialPythonClient extends PythonClient {
  /** Sends settings of the strict surface, and reads those that took effect. */
  chatWithSettings(access: Access, question: Question): Promise<Outcome<SettingsReply>>
  /** Cancels an asynchronous reader of a stream. */
  leaveAsynchronously(access: Access, question: Question & { readonly afterPieces: number }): Promise<Outcome<Fragment>>
  /** Ids of the list of models, and of the model of the question as it is read by its id. */
  readModels(access: Access, question: Question): Promise<Outcome<{ listed: readonly string[]; read: string }>>
}

export function createPythonClient(program: string, module: 'langchain_client'): PythonClient
export function createPythonClient(program: string, module: 'openai_client'): OfficialPythonClient
export function createPythonClient(program: string, module: string): OfficialPythonClient {
  let started: Driver | undefined
  const call = <Value>(name: string, access: Access, question: Question): Promise<Value> => {
    started ??= new Driver(program, module)
    return started.call<Value>({ call: name, access, question })
  }
  return {
    chat: (access, question) => call('chat', access, question),
    stream: (access, question) => call('stream', access, question),
    chatWithUnknownParameter: (access, question) => call('chat_with_unknown_parameter', access, question),
    chatWithSettings: (access, question) => call('chat_with_settings', access, question),
    useTools: (access, question) => call('use_tools', access, question),
    useToolsInStream: (access, question) => call('use_tools_in_stream', access, question),
    structure: (access, question) => call('structure', access, question),
    leaveStream: (access, question) => call('leave_stream', access, question),
    leaveAsynchronously: (access, question) => call('leave_asynchronously', access, question),
    readModels: (access, question) => call('read_models', access, question),
    stopWaiting: (access, question) => call('stop_waiting', access, question),
    async readBrokenStream(access, question) {
      const { value } = await call<{ value: Awaited<ReturnType<Client['readBrokenStream']>> }>(
        'read_broken_stream',
        access,
        question,
      )
      return value
    },
    async close() {
      await started?.close()
      started = undefined
    },
  }
}

interface Order {
  readonly call: string
  readonly access: Access
  readonly question: Question
}

/** Speaks one line of JSON per call and answer. */
class Driver {
  readonly #process: ChildProcessWithoutNullStreams
  readonly #lines: AsyncIterator<string>
  readonly #reader: Interface
  #said = ''

  constructor(program: string, module: string) {
    const environment = { PATH: process.env['PATH'] ?? '', PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' }
    this.#process = spawn(program, [driver, module], { env: environment })
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-4_000)
    })
    this.#reader = createInterface({ input: this.#process.stdout })
    this.#lines = this.#reader[Symbol.asyncIterator]()
    const weather = weatherIn({ city: '{city}' })
    this.#send({ temperature, toolRoundsMax, unknownParameter, weather, weatherTool })
  }

  async call<Value>(order: Order): Promise<Value> {
    this.#send(order)
    const tooLate = setTimeout(() => this.#process.kill('SIGKILL'), callMsMax)
    const { value, done } = await this.#lines.next()
    clearTimeout(tooLate)
    if (done === true) throw new Error(`the Python client ended in ${order.call}: ${this.#said}`)
    return JSON.parse(value) as Value
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = once(this.#process, 'close')
    this.#process.stdin.end()
    await ended
  }

  #send(message: object): void {
    this.#process.stdin.write(`${JSON.stringify(message)}\n`)
  }
}
