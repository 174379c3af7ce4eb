import type { AnswerEnd, AnswerPart, EngineFacts } from '../model/engine.ts'

/** What all chunks of one completion share. */
export interface CompletionHead {
  readonly id: string
  readonly createdSeconds: number
  readonly facts: EngineFacts
}

export interface Usage {
  readonly promptTokens: number
  readonly ends: readonly AnswerEnd[]
}

/** One answer, gathered for a caller who does not stream. */
export interface GatheredAnswer {
  readonly parts: readonly AnswerPart[]
  readonly end: AnswerEnd
}

export function encodeRoleChunk(head: CompletionHead, index: number): object {
  return chunk(head, { index, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null })
}

export function encodePartChunk(head: CompletionHead, index: number, part: AnswerPart): object {
  return chunk(head, { index, delta: encodeDelta(head, index, part), logprobs: null, finish_reason: null })
}

export function encodeEndChunk(head: CompletionHead, index: number, end: AnswerEnd): object {
  return chunk(head, { index, delta: {}, logprobs: null, finish_reason: end.finishReason })
}

export function encodeUsageChunk(head: CompletionHead, usage: Usage): object {
  return { ...envelope(head, 'chat.completion.chunk'), choices: [], usage: encodeUsage(usage) }
}

export function encodeCompletion(
  head: CompletionHead,
  answers: readonly GatheredAnswer[],
  promptTokens: number,
): object {
  const choices = answers.map(({ parts, end }, index) => ({
    index,
    message: encodeMessage(head, index, parts),
    logprobs: null,
    finish_reason: end.finishReason,
  }))
  const usage = encodeUsage({ promptTokens, ends: answers.map(answer => answer.end) })
  return { ...envelope(head, 'chat.completion'), choices, usage }
}

function chunk(head: CompletionHead, choice: object): object {
  return { ...envelope(head, 'chat.completion.chunk'), choices: [choice] }
}

function envelope({ id, createdSeconds, facts }: CompletionHead, object: string): object {
  return { id, object, created: createdSeconds, model: facts.model, system_fingerprint: facts.fingerprint }
}

function encodeDelta(head: CompletionHead, choice: number, part: AnswerPart): object {
  switch (part.kind) {
    case 'text':
      return { content: part.text }
    case 'reasoning':
      return { reasoning_content: part.text }
    case 'call': {
      const called = { name: part.name, arguments: '' }
      return {
        tool_calls: [{ index: part.index, id: callId(head, choice, part.index), type: 'function', function: called }],
      }
    }
    case 'arguments':
      return { tool_calls: [{ index: part.index, function: { arguments: part.text } }] }
  }
}

function encodeMessage(head: CompletionHead, choice: number, parts: readonly AnswerPart[]): object {
  const content = joinText(parts, 'text')
  const reasoning = joinText(parts, 'reasoning')
  const calls = parts.flatMap(part => (part.kind === 'call' ? [part] : []))
  const toolCalls = calls.map(({ index, name }) => ({
    id: callId(head, choice, index),
    type: 'function',
    function: { name, arguments: parts.map(part => (isArgumentsOf(part, index) ? part.text : '')).join('') },
  }))
  return {
    role: 'assistant',
    content: content === '' && toolCalls.length > 0 ? null : content,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    refusal: null,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  }
}

function isArgumentsOf(part: AnswerPart, index: number): part is AnswerPart & { readonly kind: 'arguments' } {
  return part.kind === 'arguments' && part.index === index
}

function joinText(parts: readonly AnswerPart[], kind: 'text' | 'reasoning'): string {
  return parts.map(part => (part.kind === kind ? part.text : '')).join('')
}

/** Unique because the completion's id is. */
function callId(head: CompletionHead, choice: number, index: number): string {
  return `call_${head.id.slice('chatcmpl-'.length)}_${choice}_${index}`
}

function encodeUsage({ promptTokens, ends }: Usage): object {
  const sum = (count: (end: AnswerEnd) => number): number => ends.reduce((total, end) => total + count(end), 0)
  const completionTokens = sum(end => end.completionTokens)
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: ends[0]?.cachedTokens ?? 0 },
    completion_tokens_details: { reasoning_tokens: sum(end => end.reasoningTokens) },
  }
}
