/** All that a program is told about the gateway: what it would be told about any other provider. */
export interface Access {
  /** With `/v1`. */
  readonly baseUrl: string
  readonly key: string
}

export interface Question {
  readonly model: string
  readonly prompt: string
  /** How often the client may ask again by itself. Left out: what it does by default. */
  readonly retries?: number
}

interface Usage {
  readonly prompt: number
  readonly completion: number
  readonly total: number
}

export interface Reply {
  /** Of the completion; null where the client does not show it. */
  readonly id: string | null
  readonly text: string
  readonly model: string
  /** In the words of the API: `stop`, `length`, `tool_calls`, … */
  readonly finishReason: string
  readonly usage: Usage
  /** Dollars; null where the client drops what it does not know. */
  readonly cost: number | null
}

export interface Piece {
  readonly text: string
  /** Milliseconds since the question was asked. */
  readonly at: number
}

interface StreamedReply extends Reply {
  readonly pieces: readonly Piece[]
}

/** What a program has of a stream that it left. */
export interface Fragment {
  readonly pieces: readonly Piece[]
}

interface ToolUse {
  readonly name: string
  readonly input: unknown
}

interface ToolReply {
  readonly text: string
  /** In the order in which the program was made to run them. */
  readonly uses: readonly ToolUse[]
}

/** A failure as the program catches it. What the client does not show is null. */
export interface Failure {
  readonly className: string
  readonly status: number | null
  readonly code: string | null
  readonly param: string | null
  readonly message: string
  /** `x-request-id`, by which the operator finds the request. */
  readonly requestId: string | null
  readonly retryAfter: string | null
}

/** What a call came to: clients differ in how they throw, so that both are values here. */
export type Outcome<Value> = { readonly value: Value } | { readonly failure: Failure }

/** The weather tool, the city schema and the unknown parameter are those of `scenes.ts`. */
export interface Client {
  chat(access: Access, question: Question): Promise<Outcome<Reply>>
  stream(access: Access, question: Question): Promise<Outcome<StreamedReply>>
  /** Sends `temperature` and a parameter that the client knows nothing of. */
  chatWithUnknownParameter(access: Access, question: Question): Promise<Outcome<Reply>>
  /** Offers the weather tool and runs it until the model answers in words: in the client's own loop where it has one. */
  useTools(access: Access, question: Question): Promise<Outcome<ToolReply>>
  useToolsInStream(access: Access, question: Question): Promise<Outcome<ToolReply>>
  /** Asks for a city as an object. */
  structure(access: Access, question: Question): Promise<Outcome<unknown>>
  /** Leaves the stream after this many pieces of text. */
  leaveStream(access: Access, question: Question & { readonly afterPieces: number }): Promise<Outcome<Fragment>>
  /** Reads a stream that breaks: what came, and the failure. */
  readBrokenStream(
    access: Access,
    question: Question,
  ): Promise<{ readonly pieces: readonly Piece[]; readonly failure: Failure | null }>
  /** Stops waiting for a whole answer after this time; the failure is the client's own. */
  stopWaiting(access: Access, question: Question & { readonly afterMs: number }): Promise<Outcome<Reply>>
}

export async function outcomeOf<Value>(
  run: () => Promise<Value>,
  describe: (error: unknown) => Failure,
): Promise<Outcome<Value>> {
  try {
    return { value: await run() }
  } catch (error) {
    return { failure: describe(error) }
  }
}

/** A program that waits no longer, as by a button. */
export function abortedAfter(ms: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), ms)
  return controller.signal
}
