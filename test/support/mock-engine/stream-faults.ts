import { answerStream } from './answer.ts'
import type { AnswerOptions } from './plan-answer.ts'
import { encodeEvent } from './sse-style.ts'
import { type Behaviour, complete, type PayloadStep, payload, reshape, type Step } from './step.ts'

/** An SSE event with any data, outside the answer. */
export function event(data: string): PayloadStep {
  return payload('other', encodeEvent(data))
}

/** The connection ends well, but `[DONE]` never came. */
export function withoutDone(behaviour: Behaviour = answerStream()): Behaviour {
  return replaceDone(behaviour, () => [])
}

export function doneTwice(behaviour: Behaviour = answerStream()): Behaviour {
  return replaceDone(behaviour, done => [done, done])
}

/** Events after `[DONE]`; by default one that looks like more content, and a second usage. */
export function dataAfterDone(behaviour: Behaviour = answerStream(), data: readonly string[] = AFTER_DONE): Behaviour {
  return replaceDone(behaviour, done => [done, ...data.map(event)])
}

/** 200, the SSE head, `[DONE]`, and nothing else. */
export function onlyDone(): Behaviour {
  return keepParts(answerStream(), ['done'])
}

/** 200, the SSE head, and the end of the message. */
export function emptyStream(): Behaviour {
  return keepParts(answerStream(), [])
}

/** No event says a finish reason, though the stream ends with `[DONE]`. */
export function withoutFinish(options: AnswerOptions = {}): Behaviour {
  return answerStream({ ...options, finishReason: null })
}

/** In-band errors as engines write them. */
export const errorEvents = {
  openAi: '{"error":{"message":"engine exploded","type":"server_error","param":null,"code":"internal"}}',
  vllm: '{"object":"error","message":"engine exploded","type":"InternalServerError","param":null,"code":500}',
  text: '{"error":"engine exploded"}',
  /** An error inside an otherwise ordinary chunk. */
  inChunk:
    '{"id":"x","object":"chat.completion.chunk","created":1,"model":"mock-model","choices":[{"index":0,"delta":{},"finish_reason":"error"}],"error":{"message":"engine exploded","code":502}}',
} as const

/**
 * The error comes instead of everything after this many content events: with 0 it is the first event of the stream.
 * `[DONE]` follows it when `thenDone` is true.
 */
export function errorEvent(
  options: { afterChunks: number; data?: string; thenDone?: boolean },
  behaviour: Behaviour = answerStream(),
): Behaviour {
  const { afterChunks, data = errorEvents.openAi, thenDone = false } = options
  const inserted = [event(data), ...(thenDone ? [event('[DONE]')] : []), complete]
  return reshape(behaviour, steps => insertSteps(steps, { chunks: afterChunks, inserted, goOn: false }))
}

/** Puts steps after this many content events, right before what follows them, and goes on with the behaviour. */
export function insertAfter(chunks: number, inserted: readonly Step[], behaviour: Behaviour): Behaviour {
  return reshape(behaviour, steps => insertSteps(steps, { chunks, inserted, goOn: true }))
}

const AFTER_DONE = [
  '{"id":"x","object":"chat.completion.chunk","created":1,"model":"mock-model","choices":[{"index":0,"delta":{"content":"after the end"},"finish_reason":null}]}',
  '{"id":"x","object":"chat.completion.chunk","created":1,"model":"mock-model","choices":[],"usage":{"prompt_tokens":9999,"completion_tokens":9999,"total_tokens":19998}}',
]

function replaceDone(behaviour: Behaviour, replace: (done: PayloadStep) => PayloadStep[]): Behaviour {
  return reshape(behaviour, steps =>
    flatMap(steps, step => (step.kind === 'payload' && step.part === 'done' ? replace(step) : [step])),
  )
}

function keepParts(behaviour: Behaviour, parts: readonly PayloadStep['part'][]): Behaviour {
  return reshape(behaviour, steps =>
    flatMap(steps, step => (step.kind !== 'payload' || parts.includes(step.part) ? [step] : [])),
  )
}

function* flatMap(steps: Iterable<Step>, map: (step: Step) => readonly Step[]): Generator<Step> {
  for (const step of steps) yield* map(step)
}

/** Puts steps before the payload that follows the content event with this number; then ends or goes on. */
function* insertSteps(
  steps: Iterable<Step>,
  options: { chunks: number; inserted: readonly Step[]; goOn: boolean },
): Generator<Step> {
  let seen = 0
  let done = false
  for (const step of steps) {
    if (!done && seen === options.chunks && step.kind === 'payload') {
      done = true
      yield* options.inserted
      if (!options.goOn) return
    }
    yield step
    if (step.kind === 'payload' && step.part === 'chunk') seen += 1
  }
  if (!done) throw new Error(`the stream has no place after ${options.chunks} chunks`)
}
