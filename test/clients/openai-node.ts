import OpenAI from 'openai'
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions'
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

export const openAiNodeTraits: ClientTraits = {
  failures: {
    classes: {
      400: 'BadRequestError',
      401: 'AuthenticationError',
      402: 'APIError',
      403: 'PermissionDeniedError',
      404: 'NotFoundError',
      429: 'RateLimitError',
      502: 'InternalServerError',
      504: 'InternalServerError',
    },
    brokenStream: { className: 'APIError', status: null, code: 'upstream_error' },
    stoppedWaiting: 'APIUserAbortError',
  },
}

/** The official client for Node, used as its own documentation does. */
export const openAiNode: Client = {
  chat: (access, question) =>
    outcome(async () => readCompletion(await connect(access, question).chat.completions.create(bodyOf(question)))),

  chatWithUnknownParameter: (access, question) =>
    outcome(async () => {
      const body = { ...bodyOf(question), temperature, ...unknownParameter }
      return readCompletion(await connect(access, question).chat.completions.create(body))
    }),

  stream: (access, question) =>
    outcome(async () => {
      const { chunks, pieces } = await readStream(access, question)
      return { ...readChunks(chunks), pieces }
    }),

  useTools: (access, question) => outcome(() => runTools(access, question, false)),
  useToolsInStream: (access, question) => outcome(() => runTools(access, question, true)),

  structure: (access, question) =>
    outcome(async () => {
      const completion = await connect(access, question).chat.completions.parse({
        ...bodyOf(question),
        response_format: { type: 'json_schema', json_schema: { name: 'city', strict: true, schema: citySchema } },
      })
      return completion.choices[0]?.message.parsed
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
      const signal = abortedAfter(afterMs)
      return readCompletion(await connect(access, question).chat.completions.create(bodyOf(question), { signal }))
    }),
}

export function connect({ baseUrl, key }: Access, { retries }: Pick<Question, 'retries'> = {}): OpenAI {
  return new OpenAI({ baseURL: baseUrl, apiKey: key, ...(retries === undefined ? {} : { maxRetries: retries }) })
}

export function bodyOf({ model, prompt }: Question) {
  return { model, messages: [{ role: 'user' as const, content: prompt }] }
}

function outcome<Value>(run: () => Promise<Value>) {
  return outcomeOf(run, describeError)
}

function describeError(error: unknown): Failure {
  if (!(error instanceof OpenAI.APIError)) throw error
  return {
    className: error.constructor.name,
    status: error.status ?? null,
    code: error.code ?? null,
    param: error.param ?? null,
    message: error.message,
    requestId: error.requestID ?? null,
    retryAfter: error.headers?.get('retry-after') ?? null,
  }
}

/** Leaves the loop after `afterPieces`; that alone closes the connection. */
async function readStream(
  access: Access,
  question: Question,
  { afterPieces, pieces = [] }: { afterPieces?: number; pieces?: Piece[] } = {},
): Promise<{ chunks: ChatCompletionChunk[]; pieces: Piece[] }> {
  const started = performance.now()
  const chunks: ChatCompletionChunk[] = []
  const stream = await connect(access, question).chat.completions.create({ ...bodyOf(question), stream: true })
  for await (const chunk of stream) {
    chunks.push(chunk)
    const text = chunk.choices[0]?.delta.content
    if (text) pieces.push({ text, at: performance.now() - started })
    if (pieces.length === afterPieces) break
  }
  return { chunks, pieces }
}

/** In the client's own tool runner. */
async function runTools(access: Access, question: Question, stream: boolean) {
  const uses: { name: string; input: unknown }[] = []
  const run = (input: WeatherInput) => {
    uses.push({ name: weatherTool.name, input })
    return weatherIn(input)
  }
  const parse = (text: string) => JSON.parse(text) as WeatherInput
  const body = {
    ...bodyOf(question),
    tools: [{ type: 'function' as const, function: { ...weatherTool, function: run, parse } }],
  }
  const { completions } = connect(access, question).chat
  const options = { maxChatCompletions: toolRoundsMax }
  const runner = stream
    ? completions.runTools({ ...body, stream: true }, options)
    : completions.runTools({ ...body, stream: false }, options)
  return { text: (await runner.finalContent()) ?? '', uses }
}

function readCompletion({ id, model, choices, usage }: ChatCompletion): Reply {
  const [choice] = choices
  const text = choice?.message.content ?? ''
  return { id, model, text, finishReason: choice?.finish_reason ?? '', ...readUsage(usage) }
}

function readChunks(chunks: readonly ChatCompletionChunk[]): Reply {
  const choices = chunks.flatMap(chunk => chunk.choices)
  return {
    id: chunks[0]?.id ?? null,
    model: chunks[0]?.model ?? '',
    text: choices.map(({ delta }) => delta.content ?? '').join(''),
    finishReason: choices.find(choice => choice.finish_reason)?.finish_reason ?? '',
    ...readUsage(chunks.at(-1)?.usage ?? undefined),
  }
}

function readUsage(usage: ChatCompletion['usage']): Pick<Reply, 'usage' | 'cost'> {
  const { prompt_tokens: prompt = -1, completion_tokens: completion = -1, total_tokens: total = -1 } = usage ?? {}
  // The type of the client does not know the field, its object has it.
  return { usage: { prompt, completion, total }, cost: (usage as { cost?: number } | undefined)?.cost ?? null }
}
