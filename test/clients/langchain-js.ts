import { type AIMessage, AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
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
import {
  citySchema,
  temperature,
  toolRoundsMax,
  unknownParameter,
  type WeatherInput,
  weatherIn,
  weatherTool,
} from './scenes.ts'

/** LangChain for JavaScript, over its integration for OpenAI. */
export const langchainJs: Client = {
  chat: (access, question) => outcome(async () => readMessage(await connect(access, question).invoke(question.prompt))),

  chatWithUnknownParameter: (access, question) =>
    outcome(async () => {
      const model = connect(access, question, { temperature, modelKwargs: unknownParameter })
      return readMessage(await model.invoke(question.prompt))
    }),

  stream: (access, question) =>
    outcome(async () => {
      const { message, pieces } = await readStream(access, question)
      return { ...readMessage(message), pieces }
    }),

  useTools: (access, question) => outcome(() => runTools(access, question, false)),
  useToolsInStream: (access, question) => outcome(() => runTools(access, question, true)),

  structure: (access, question) =>
    outcome(() =>
      connect(access, question)
        .withStructuredOutput(citySchema, { name: 'city', method: 'jsonSchema', strict: true })
        .invoke(question.prompt),
    ),

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
      return readMessage(await connect(access, question).invoke(question.prompt, { signal }))
    }),
}

type Fields = NonNullable<ConstructorParameters<typeof ChatOpenAI>[0]>

export function connect({ baseUrl, key }: Access, { model, retries }: Question, fields: Fields = {}): ChatOpenAI {
  return new ChatOpenAI({
    ...fields,
    model,
    apiKey: key,
    configuration: { baseURL: baseUrl },
    ...(retries === undefined ? {} : { maxRetries: retries }),
  })
}

function outcome<Value>(run: () => Promise<Value>) {
  return outcomeOf(run, describeError)
}

/** The library hands on the errors of the client that it uses. */
function describeError(error: unknown): Failure {
  if (!(error instanceof Error)) throw error
  const { status, code, param, requestID, headers } = error as Error & Readonly<Record<string, unknown>>
  return {
    className: error.name === 'Error' ? error.constructor.name : error.name,
    status: typeof status === 'number' ? status : null,
    code: textOrNull(code),
    param: textOrNull(param),
    message: error.message,
    requestId: textOrNull(requestID),
    retryAfter: headers instanceof Headers ? headers.get('retry-after') : null,
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Leaves the loop after `afterPieces`; that alone closes the connection. */
async function readStream(
  access: Access,
  question: Question,
  { afterPieces, pieces = [] }: { afterPieces?: number; pieces?: Piece[] } = {},
): Promise<{ message: AIMessageChunk; pieces: Piece[] }> {
  const started = performance.now()
  let message = new AIMessageChunk('')
  for await (const chunk of await connect(access, question).stream(question.prompt)) {
    message = message.concat(chunk)
    if (chunk.text !== '') pieces.push({ text: chunk.text, at: performance.now() - started })
    if (pieces.length === afterPieces) break
  }
  return { message, pieces }
}

/** A loop of the program's own: agents are another package. */
async function runTools(access: Access, question: Question, stream: boolean) {
  const uses: { name: string; input: unknown }[] = []
  const run = (input: unknown) => {
    uses.push({ name: weatherTool.name, input })
    return weatherIn(input as WeatherInput)
  }
  const { name, description, parameters } = weatherTool
  const weather = tool(run, { name, description, schema: parameters })
  const model = connect(access, question).bindTools([weather])
  const messages: BaseMessage[] = [new HumanMessage(question.prompt)]
  for (let round = 1; round <= toolRoundsMax; round += 1) {
    const message = stream ? await joinStream(await model.stream(messages)) : await model.invoke(messages)
    messages.push(message)
    const calls = message.tool_calls ?? []
    if (calls.length === 0) return { text: message.text, uses }
    for (const { id = '', args } of calls)
      messages.push(new ToolMessage({ tool_call_id: id, content: await weather.invoke(args as WeatherInput) }))
  }
  throw new Error(`the model still called tools after ${toolRoundsMax} rounds`)
}

async function joinStream(chunks: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let message = new AIMessageChunk('')
  for await (const chunk of chunks) message = message.concat(chunk)
  return message
}

interface Metadata {
  readonly model_name?: string
  readonly finish_reason?: string
  readonly usage?: { readonly cost?: number }
}

function readMessage(message: AIMessage | AIMessageChunk): Reply {
  const { id, text, response_metadata, usage_metadata } = message
  const { model_name = '', finish_reason = '', usage } = response_metadata as Metadata
  const { input_tokens: prompt = -1, output_tokens: completion = -1, total_tokens: total = -1 } = usage_metadata ?? {}
  return {
    id: id ?? null,
    text,
    model: model_name,
    finishReason: finish_reason,
    usage: { prompt, completion, total },
    cost: usage?.cost ?? null,
  }
}
