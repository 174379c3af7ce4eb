import { z } from 'zod'
import { credential, httpUrl, limit, line, list, milliseconds, shortName } from './fields.ts'
import { whenValid } from './when-valid.ts'

/** Programs whose quirks the gateway knows. `generic` is any other server with an OpenAI-compatible API. */
export const enginePresets = ['generic', 'vllm', 'sglang', 'llamacpp', 'ollama', 'lmstudio', 'openai'] as const

const timeoutsSchema = z
  .strictObject({
    connectMs: milliseconds().default(2_000).describe('To open a connection.'),
    firstByteMs: milliseconds().default(60_000).describe('From the request to the first byte of the answer.'),
    idleMs: milliseconds().default(60_000).describe('Between two pieces of an answer.'),
    totalMs: milliseconds()
      .default(540_000)
      .describe('For a whole answer; below the 600 s after which official clients give up and ask again.'),
    streamTotalMs: milliseconds().default(1_800_000).describe('For a streamed answer.'),
  })
  .prefault({})
  .describe('Longest waits in milliseconds.')

/** The keys of a request that never reach an engine; used by engines and by models. */
export const forwardSchema = z
  .strictObject({
    deny: list(line(200).min(1, 'must not be empty'), 200)
      .default([])
      .describe('Keys of a request that are removed before it is forwarded.'),
  })
  .prefault({})
  .describe('What is forwarded.')

/** Kinds that speak a language of their own; the others speak OpenAI's, or nothing. */
const hostedKinds = ['anthropic', 'google'] as const

export const engineSchema = z
  .strictObject({
    id: shortName().describe('Your name for this node, unique among the engines.'),
    kind: z
      .enum(['openai', ...hostedKinds, 'embedded'])
      .default('openai')
      .describe(
        'openai: a server with an OpenAI-compatible API. anthropic, google: Claude and Gemini in their own APIs. embedded: the test mode inside the gateway.',
      ),
    preset: z
      .enum(enginePresets)
      .default('generic')
      .describe(`The program behind the address, for its quirks: ${enginePresets.join(', ')}.`),
    baseUrl: httpUrl()
      .optional()
      .describe('The address up to and including the version, such as /v1. Needed where kind is openai.')
      .meta({ examples: ['http://127.0.0.1:8000/v1'] }),
    apiKey: credential().default('').describe('The key that the engine wants; empty or none sends no key.'),
    maxTokensField: z
      .enum(['max_tokens', 'max_completion_tokens'])
      .default('max_tokens')
      .describe('The name that the engine understands for the output limit.'),
    maxConcurrency: limit().default(64).describe('Requests at a time; further ones wait in a short queue.'),
    fetchesUrls: z
      .boolean()
      .default(false)
      .describe(
        'true: addresses that the gateway does not fetch itself, such as YouTube links, may reach this engine, which then fetches them.',
      ),
    xSearch: z
      .record(line(200).min(1, 'must not be empty'), z.any())
      .default({})
      .describe(
        'Members of a request by which this engine is told to search X, where kind is openai; {} for an engine that cannot.',
      )
      .meta({ examples: [{ search_parameters: { mode: 'on', sources: [{ type: 'web' }, { type: 'x' }] } }] }),
    onDisconnect: z
      .enum(['cancel', 'drain'])
      .default('cancel')
      .describe('When the caller leaves. cancel: stop the engine. drain: let it finish and bill what it reports.'),
    timeouts: timeoutsSchema,
    forward: forwardSchema,
  })
  .refine(engine => engine.kind !== 'openai' || engine.baseUrl !== undefined, {
    path: ['baseUrl'],
    error: 'is missing',
    when: whenValid('kind', 'baseUrl'),
  })
