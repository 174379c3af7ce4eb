import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, jsonSchema, Output, RetryError, stepCountIs, streamText, tool } from 'ai'
import {
  type Access,
  abortedAfter,
  type Client,
  type Failure,
  outcomeOf,
  type Piece,
  type Question,
  type Reply,
} from './client.ts'
import type { ClientTraits } from './contract/traits.ts'
import {
  citySchema,
  temperature,
  toolRoundsMax,
  unknownParameter,
  type WeatherInput,
  weatherIn,
  weatherTool,
} from './scenes.ts'

const refused = 'AI_APICallError'

export const aiSdkTraits: ClientTraits = {
  failures: {
    classes: {
      ...{ 400: refused, 401: refused, 402: refused, 403: refused },
      ...{ 404: refused, 429: refused, 502: refused, 504: refused },
    },
    brokenStream: { status: null, code: 'upstream_error' },
    stoppedWaiting: 'AbortError',
  },
}

/** The Vercel AI SDK with its provider for OpenAI-compatible servers. */
export const aiSdk: Client = {
  chat: (access, question) => outcome(async () => readResult(await generateText(callOf(access, question)))),

  chatWithUnknownParameter: (access, question) =>
    outcome(async () => {
      const call = { ...callOf(access, question), temperature, providerOptions: { rialto: unknownParameter } }
      return readResult(await generateText(call))
    }),

  stream: (access, question) =>
    outcome(async () => {
      const { result, pieces } = await readStream(access, question)
      const [response, usage, rawFinishReason] = await Promise.all([
        result.response,
        result.usage,
        result.rawFinishReason,
      ])
      const text = await result.text
      return { ...readResult({ text, response, usage, rawFinishReason }), pieces }
    }),

  useTools: (access, question) =>
    outcome(async () => {
      const { toolCall, uses } = offerWeather(access, question)
      return { text: (await generateText(toolCall)).text, uses }
    }),

  useToolsInStream: (access, question) =>
    outcome(async () => {
      const { toolCall, uses } = offerWeather(access, question)
      return { text: await streamText({ ...toolCall, onError: ignore }).text, uses }
    }),

  structure: (access, question) =>
    outcome(async () => {
      const output = Output.object({ schema: jsonSchema(citySchema), name: 'city' })
      return (await generateText({ ...callOf(access, question), output })).output
    }),

  leaveStream: (access, { afterPieces, ...question }) =>
    outcome(async () => ({ pieces: (await readStream(access, question, { afterPieces })).pieces })),

  async readBrokenStream(access, question) {
    const pieces: Piece[] = []
    const read = await outcome(() => readStream(access, question, { pieces }))
    return { pieces, failure: 'failure' in read ? read.failure : null }
  },

  stopWaiting: (access, { afterMs, ...question }) =>
    outcome(async () => {
      const abortSignal = abortedAfter(afterMs)
      return readResult(await generateText({ ...callOf(access, question), abortSignal }))
    }),
}

export function callOf({ baseUrl, key }: Access, { model, prompt, retries }: Question) {
  const provider = createOpenAICompatible({
    name: 'rialto',
    baseURL: baseUrl,
    apiKey: key,
    supportsStructuredOutputs: true,
  })
  return { model: provider(model), prompt, ...(retries === undefined ? {} : { maxRetries: retries }) }
}

function outcome<Value>(run: () => Promise<Value>) {
  return outcomeOf(run, describeError)
}

/** The library prints errors of streams unless it is told where they go; they also come as parts of the stream. */
const ignore = () => undefined

/** In a stream, an error is a part of it, with what the server said. */
async function readStream(
  access: Access,
  question: Question,
  { afterPieces, pieces = [] }: { afterPieces?: number; pieces?: Piece[] } = {},
) {
  const started = performance.now()
  const leaving = new AbortController()
  const result = streamText({
    ...callOf(access, question),
    abortSignal: leaving.signal,
    onError: ignore,
  })
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') pieces.push({ text: part.text, at: performance.now() - started })
    if (part.type === 'error') throw part.error
    if (pieces.length === afterPieces) leaving.abort()
  }
  return { result, pieces }
}

interface ServerError {
  readonly message?: string
  readonly code?: string
  readonly param?: string
}

function describeError(error: unknown): Failure {
  const last = RetryError.isInstance(error) ? error.lastError : error
  if (APICallError.isInstance(last)) {
    const { error: said } = (last.data ?? {}) as { error?: ServerError }
    return {
      className: (error as Error).name,
      status: last.statusCode ?? null,
      code: said?.code ?? null,
      param: said?.param ?? null,
      message: last.message,
      requestId: last.responseHeaders?.['x-request-id'] ?? null,
      retryAfter: last.responseHeaders?.['retry-after'] ?? null,
    }
  }
  const { name, message = '', code, param } = last as ServerError & { name?: string }
  return {
    className: name ?? typeof last,
    status: null,
    code: typeof code === 'string' ? code : null,
    param: param ?? null,
    message,
    requestId: null,
    retryAfter: null,
  }
}

/** The tool runs in the library's own loop. */
function offerWeather(access: Access, question: Question) {
  const uses: { name: string; input: unknown }[] = []
  const weather = tool({
    description: weatherTool.description,
    inputSchema: jsonSchema<WeatherInput>(weatherTool.parameters),
    execute: input => {
      uses.push({ name: weatherTool.name, input })
      return weatherIn(input)
    },
  })
  const tools = { [weatherTool.name]: weather }
  return { toolCall: { ...callOf(access, question), tools, stopWhen: stepCountIs(toolRoundsMax) }, uses }
}

interface Result {
  readonly text: string
  readonly rawFinishReason: string | undefined
  readonly response: { readonly id: string; readonly modelId: string }
  readonly usage: {
    readonly inputTokens: number | undefined
    readonly outputTokens: number | undefined
    readonly totalTokens: number | undefined
    readonly raw?: { readonly cost?: unknown }
  }
}

function readResult({ text, response, rawFinishReason, usage }: Result): Reply {
  const { inputTokens = -1, outputTokens = -1, totalTokens = -1, raw } = usage
  return {
    id: response.id,
    model: response.modelId,
    text,
    finishReason: rawFinishReason ?? '',
    usage: { prompt: inputTokens, completion: outputTokens, total: totalTokens },
    cost: typeof raw?.cost === 'number' ? raw.cost : null,
  }
}
