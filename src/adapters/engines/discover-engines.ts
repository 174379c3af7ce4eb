import { Agent, type Dispatcher } from 'undici'
import type { FoundEngine, FoundModel } from '../../core/found-engine.ts'
import type { Logger } from '../../core/logger.ts'
import { type Ask, createAsk } from './discovery/ask-json.ts'
import { type AnthropicAccess, findAnthropicEngine } from './discovery/find-anthropic-engine.ts'
import { type EnvironmentEngine, findEnvironmentEngine } from './discovery/find-environment-engine.ts'
import { recogniseLlamacpp } from './discovery/recognise-llamacpp.ts'
import { recogniseLmstudio } from './discovery/recognise-lmstudio.ts'
import { recogniseOllama } from './discovery/recognise-ollama.ts'
import { recogniseSglang } from './discovery/recognise-sglang.ts'
import { recogniseVllm } from './discovery/recognise-vllm.ts'

/** A neighbour on the same machine answers at once or is not there. */
const localTimeoutMs = 300
const connectionsMax = 16

export type LocalPreset = 'ollama' | 'vllm' | 'llamacpp' | 'lmstudio' | 'sglang'

/** Where each program listens unless it is told otherwise. */
const usualPorts: Readonly<Record<LocalPreset, number>> = {
  ollama: 11_434,
  vllm: 8_000,
  llamacpp: 8_080,
  lmstudio: 1_234,
  sglang: 30_000,
}

/** Null from a recogniser: the server is another program. An empty list: it is this one, and has nothing that chats. */
const recognisers: Readonly<Record<LocalPreset, (ask: Ask) => Promise<readonly FoundModel[] | null>>> = {
  ollama: recogniseOllama,
  vllm: recogniseVllm,
  llamacpp: recogniseLlamacpp,
  lmstudio: recogniseLmstudio,
  sglang: recogniseSglang,
}

const localPresets: readonly LocalPreset[] = ['ollama', 'vllm', 'llamacpp', 'lmstudio', 'sglang']

export interface DiscoveryOptions {
  readonly environment: { readonly openAi: EnvironmentEngine | null; readonly anthropic: AnthropicAccess | null }
  readonly logger: Logger
  /** Other ports than the usual ones. */
  readonly ports?: Readonly<Record<LocalPreset, number>>
  /** For one question to this machine, in milliseconds. */
  readonly timeoutMs?: number
}

/**
 * Looks for engines when no file names any (operator.md §1): those of the environment, else those that answer on their
 * usual ports of this machine, recognised by what they say about themselves and not by the port.
 * @throws Error for the operator when the environment names an engine that lists no models
 */
export async function discoverEngines(options: DiscoveryOptions): Promise<readonly FoundEngine[]> {
  const { environment, logger, ports = usualPorts, timeoutMs = localTimeoutMs } = options
  const dispatcher = new Agent({ connections: connectionsMax, pipelining: 1 })
  try {
    const named = await findNamedEngines(environment, dispatcher)
    const found = named.length > 0 ? named : await findLocalEngines({ dispatcher, timeoutMs }, ports)
    for (const { id, preset, models } of found) logger.info('engine.found', { node: id, preset, models: models.length })
    return found
  } finally {
    await dispatcher.destroy()
  }
}

async function findNamedEngines(
  { openAi, anthropic }: DiscoveryOptions['environment'],
  dispatcher: Dispatcher,
): Promise<readonly FoundEngine[]> {
  return Promise.all([
    ...(openAi === null ? [] : [findEnvironmentEngine(openAi, dispatcher)]),
    ...(anthropic === null ? [] : [findAnthropicEngine(anthropic, dispatcher)]),
  ])
}

interface Asking {
  readonly dispatcher: Dispatcher
  readonly timeoutMs: number
}

async function findLocalEngines(
  asking: Asking,
  ports: Readonly<Record<LocalPreset, number>>,
): Promise<readonly FoundEngine[]> {
  const answers = await Promise.all(localPresets.map(preset => findLocalEngine(asking, preset, ports[preset])))
  return answers.flatMap(engine => engine ?? [])
}

/** Null when nobody answers, another program does, or there is nothing to sell. */
async function findLocalEngine(asking: Asking, preset: LocalPreset, port: number): Promise<FoundEngine | null> {
  const origin = `http://127.0.0.1:${port}`
  const ask = createAsk({ ...asking, baseUrl: origin, authorization: null })
  const models = await recognisers[preset](ask)
  if (models === null || models.length === 0) return null
  return { id: preset, kind: 'openai', preset, baseUrl: `${origin}/v1`, apiKey: null, models }
}
