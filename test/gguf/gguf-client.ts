import { setTimeout as sleep } from 'node:timers/promises'
import type { GgufProcess } from '../../src/adapters/engines/gguf-process.ts'

const requestMsMax = 20_000

/** The parts of an answer that the tests look at. */
export interface Answer {
  readonly choices: readonly {
    readonly index: number
    readonly finish_reason: string | null
    readonly message: { readonly content: string | null; readonly tool_calls?: readonly Call[] }
  }[]
  readonly usage: Usage
}

interface Usage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly prompt_tokens_details: { readonly cached_tokens: number }
}

export interface Call {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface Chunk {
  readonly choices: readonly {
    readonly index: number
    readonly finish_reason: string | null
    readonly delta: {
      readonly role?: string
      readonly content?: string
      readonly tool_calls?: readonly { readonly index: number; readonly function: { readonly arguments?: string } }[]
    }
  }[]
  readonly usage?: Usage
}

export interface Health {
  readonly running: number
  readonly waiting: number
  readonly generated_tokens: number
}

export interface Refusal {
  readonly status: number
  readonly retryAfter: string | null
  readonly error: {
    readonly message: string
    readonly type: string
    readonly param: string | null
    readonly code: string
  }
}

export type Client = ReturnType<typeof createGgufClient>

/** Talks to a running engine. Bodies get the model's name and one user message unless they bring their own. */
export function createGgufClient({ baseUrl, apiKey, modelName }: GgufProcess) {
  const post = (body: unknown, signal = AbortSignal.timeout(requestMsMax)): Promise<Response> =>
    fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: typeof body === 'string' ? body : JSON.stringify({ model: modelName, messages: [hello], ...Object(body) }),
      signal,
    })
  const health = async (): Promise<Health> => {
    const response = await fetch(baseUrl.replace('/v1', '/health'), { signal: AbortSignal.timeout(requestMsMax) })
    return (await response.json()) as Health
  }
  return {
    post,
    health,
    chat: async (body: object): Promise<Answer> => {
      const response = await post(body)
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
      return (await response.json()) as Answer
    },
    refusal: async (body: unknown): Promise<Refusal> => {
      const response = await post(body)
      const { error } = (await response.json()) as Pick<Refusal, 'error'>
      return { status: response.status, retryAfter: response.headers.get('retry-after'), error }
    },
    stream: async (body: object): Promise<{ chunks: readonly Chunk[]; done: number }> => {
      const response = await post({ ...body, stream: true })
      const events = (await response.text()).split('\n\n').filter(event => event !== '')
      const data = events.map(event => event.replace(/^data: /, ''))
      const done = data.filter(text => text === '[DONE]').length
      return { chunks: data.filter(text => text !== '[DONE]').map(text => JSON.parse(text) as Chunk), done }
    },
    /** Waits until nothing runs or waits. */
    idle: async (): Promise<Health> => {
      for (let attempt = 0; attempt < 100; attempt += 1) {
        const state = await health()
        if (state.running === 0 && state.waiting === 0) return state
        await sleep(20)
      }
      throw new Error('the engine did not become idle')
    },
  }
}

const hello = { role: 'user', content: 'hello there' }
