import { asksForStream, type JsonObject } from './engine-request.ts'
import { type AnswerOptions, type AnswerPlan, planAnswer, reasoningField } from './plan-answer.ts'
import { encodeEvent } from './sse-style.ts'
import { type Behaviour, complete, head, type Part, pause, payload, type Step } from './step.ts'

/** A fixed time, so that answers are reproducible. */
const CREATED = 1_767_225_600

/** A correct answer: JSON, or SSE when the request has `stream: true`. */
export function answer(options: AnswerOptions = {}): Behaviour {
  return request => {
    const plan = planAnswer(options, request)
    return asksForStream(request) ? streamSteps(plan) : jsonSteps(plan)
  }
}

/** A correct JSON completion, whatever the request asked for. */
export function answerJson(options: AnswerOptions = {}): Behaviour {
  return request => jsonSteps(planAnswer(options, request))
}

/** A correct SSE stream, whatever the request asked for. */
export function answerStream(options: AnswerOptions = {}): Behaviour {
  return request => streamSteps(planAnswer(options, request))
}

function* jsonSteps(plan: AnswerPlan): Generator<Step> {
  const { options } = plan
  yield* pause(options.firstAfterMs)
  for (const _ of plan.deltas) {
    yield* pause(options.everyMs)
    yield { kind: 'generate', tokens: 1 }
  }
  const body = Buffer.from(withUsage(completionBody(plan), plan.usage.answer))
  const framing =
    options.framing === undefined || options.framing === 'length' ? { length: body.length } : options.framing
  yield head(200, { contentType: contentType(plan, 'application/json'), framing, headers: options.headers ?? [] })
  yield payload('body', body)
  yield complete
}

function* streamSteps(plan: AnswerPlan): Generator<Step> {
  const { options, usage } = plan
  if (options.framing === 'length') throw new Error('the length of a stream is not known before it ends')
  let first = true
  function event(part: Part, data: string, tokens = 0): Step {
    const bytes = encodeEvent(data, options.style, first)
    first = false
    return payload(part, bytes, tokens)
  }
  yield* pause(options.firstAfterMs)
  const framing = options.framing ?? 'chunked'
  yield head(200, { contentType: contentType(plan, 'text/event-stream'), framing, headers: options.headers ?? [] })
  if (options.roleChunk !== false) {
    for (let choice = 0; choice < plan.choices; choice += 1) {
      yield event('role', JSON.stringify(chunkBody(plan, [choiceOf(choice, { role: 'assistant', content: '' })])))
    }
  }
  for (const [index, delta] of plan.deltas.entries()) {
    yield* pause(options.everyMs)
    const choice = choiceOf(delta.choice, delta.fields, null, delta.logprobs)
    yield event('chunk', withUsage(chunkBody(plan, [choice]), usage.onChunk?.(index + 1, index)), 1)
  }
  for (let choice = 0; choice < plan.choices && plan.finishReason !== null; choice += 1) {
    const last = choice === plan.choices - 1
    const body = chunkBody(plan, [choiceOf(choice, {}, plan.finishReason)])
    yield event('finish', withUsage(body, last ? usage.onFinish : undefined))
  }
  for (const json of usage.closing ?? []) yield event('usage', withUsage(chunkBody(plan, []), json))
  yield event('done', '[DONE]')
  yield complete
}

function contentType({ options }: AnswerPlan, ordinary: string): string | undefined {
  return options.contentType === null ? undefined : (options.contentType ?? ordinary)
}

/** Splices the JSON text in as the last key, so that its spelling survives. */
function withUsage(body: JsonObject, json: string | undefined): string {
  const text = JSON.stringify(body)
  return json === undefined ? text : `${text.slice(0, -1)},"usage":${json}}`
}

function chunkBody(plan: AnswerPlan, choices: readonly JsonObject[]): JsonObject {
  return { ...commonFields(plan, 'chat.completion.chunk'), choices, ...plan.options.extraFields }
}

function commonFields(plan: AnswerPlan, object: string): JsonObject {
  return { id: plan.id, object, created: CREATED, model: plan.model }
}

function choiceOf(
  index: number,
  delta: JsonObject,
  finishReason: string | null = null,
  logprobs: JsonObject | undefined = undefined,
): JsonObject {
  return { index, delta, ...(logprobs === undefined ? {} : { logprobs }), finish_reason: finishReason }
}

function completionBody(plan: AnswerPlan): JsonObject {
  const choices = Array.from({ length: plan.choices }, (_, index) => completionChoice(plan, index))
  return { ...commonFields(plan, 'chat.completion'), choices, ...plan.options.extraFields }
}

function completionChoice(plan: AnswerPlan, index: number): JsonObject {
  const deltas = plan.deltas.filter(delta => delta.choice === index)
  const join = (field: string) => deltas.map(({ fields }) => fields[field] ?? '').join('')
  const field = reasoningField(plan.options)
  const { toolCalls, reasoning } = plan.options
  const content = join('content')
  const message = {
    role: 'assistant',
    content: content === '' && toolCalls !== undefined ? null : content,
    ...(reasoning === undefined ? {} : { [field]: join(field) }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls.map(completeToolCall) }),
  }
  const logprobs = deltas.flatMap(delta => (delta.logprobs?.['content'] as unknown[] | undefined) ?? [])
  return {
    index,
    message,
    ...(logprobs.length === 0 ? {} : { logprobs: { content: logprobs } }),
    finish_reason: plan.finishReason,
  }
}

function completeToolCall({ id, name, arguments: text }: { id: string; name: string; arguments: string }): JsonObject {
  return { id, type: 'function', function: { name, arguments: text } }
}
