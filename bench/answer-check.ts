import { completionTokens, eventsPerStream, leastJsonBytes, leastStreamBytes, promptTokens } from './answers.ts'

/** What a right answer looks like on the path that is being measured. */
export interface Expectation {
  answer: 'json' | 'stream'
  /** The model name that the caller asked for; any other name is a leak of the engine's. */
  model: string
  /** True behind a gateway that bills: `usage.cost` must be a number above zero. */
  cost: boolean
}

interface Answer {
  model?: unknown
  choices?: { finish_reason?: unknown; message?: { content?: unknown } }[]
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown; cost?: unknown } | null
}

/** The end of every complete stream. */
export const streamTail = 'data: [DONE]\n\n'

/** Fewest body bytes of a complete answer: the check that every answer passes, sampled or not. */
export function leastBodyBytes(expectation: Expectation): number {
  return expectation.answer === 'json' ? leastJsonBytes : leastStreamBytes
}

/**
 * Reads a whole answer as a client would.
 * @returns what is wrong with it, or null
 */
export function findFault(body: string, expectation: Expectation): string | null {
  try {
    return expectation.answer === 'json' ? jsonFault(body, expectation) : streamFault(body, expectation)
  } catch {
    return 'the answer is not JSON'
  }
}

function jsonFault(body: string, expectation: Expectation): string | null {
  const answer: Answer = JSON.parse(body)
  if (answer.choices?.[0]?.finish_reason !== 'stop') return 'the finish reason is missing'
  if (typeof answer.choices[0].message?.content !== 'string') return 'the content is missing'
  return modelFault(answer, expectation) ?? usageFault(answer, expectation)
}

function streamFault(body: string, expectation: Expectation): string | null {
  if (!body.endsWith(streamTail)) return 'the stream does not end with [DONE]'
  const events = body
    .split('\n\n')
    .filter(event => event.startsWith('data: {'))
    .map((event): Answer => JSON.parse(event.slice('data: '.length)))
  if (events.length !== eventsPerStream) return `the stream has ${events.length} events instead of ${eventsPerStream}`
  if (body.split(streamTail).length !== 2) return '[DONE] is sent more than once'
  const wrongModel = events.map(event => modelFault(event, expectation)).find(fault => fault !== null)
  if (wrongModel !== undefined) return wrongModel
  if (!events.some(event => event.choices?.[0]?.finish_reason === 'stop')) return 'the finish reason is missing'
  const last = events[events.length - 1] ?? {}
  return usageFault(last, expectation)
}

function modelFault(answer: Answer, { model }: Expectation): string | null {
  return answer.model === model ? null : `the model is ${String(answer.model)} instead of ${model}`
}

function usageFault({ usage }: Answer, { cost }: Expectation): string | null {
  if (usage?.prompt_tokens !== promptTokens || usage.completion_tokens !== completionTokens) {
    return 'the usage is missing or is not what the engine reported'
  }
  const isBilled = typeof usage.cost === 'number' && usage.cost > 0
  return cost && !isBilled ? 'usage.cost is missing' : null
}
