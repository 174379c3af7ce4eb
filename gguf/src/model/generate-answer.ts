import type { LlamaChatResponseChunk, LlamaContextSequence, LlamaGrammar, Token } from 'node-llama-cpp'
import { invalidField } from '../wire-error.ts'
import type { AnswerEnd, AnswerPart } from './engine.ts'
import type { Loaded, RenderedChat } from './open-chat.ts'

/** Tokens evaluated between two looks at the abort signal: under a second for small models on one core. */
const prefillTokens = 64
/** Calls in one turn; a model that goes on past them is stuck. */
const parallelCallsMax = 16

export interface GenerateOptions extends RenderedChat {
  readonly seed: number
  readonly onPart: (part: AnswerPart) => void
}

/** Thrown by the hook through which the library would otherwise drop old messages to make room. */
class ContextFull extends Error {}

/**
 * Generates one answer. With a seed from the caller the context starts empty: reusing what is evaluated changes the
 * last bits of the numbers, and with them now and then a token.
 */
export async function generateAnswer(
  loaded: Loaded,
  options: GenerateOptions,
  signal: AbortSignal,
): Promise<AnswerEnd> {
  const { sequence } = loaded.chat
  if (options.request.sampling.seed !== undefined) await sequence.clearHistory()
  const cachedTokens = await prefill(sequence, options.promptTokens, signal)
  const before = sequence.tokenMeter.usedOutputTokens
  const reader = createPartReader(options.onPart)
  const finishReason = await run(loaded, { ...options, reader }, signal)
  const completionTokens = sequence.tokenMeter.usedOutputTokens - before
  return { finishReason, completionTokens, reasoningTokens: reader.reasoningTokens(), cachedTokens }
}

/** Evaluates the prompt in small steps, so that a caller who leaves ends it. Returns how much was there already. */
async function prefill(sequence: LlamaContextSequence, prompt: readonly Token[], signal: AbortSignal): Promise<number> {
  // The last token is left for the generation: its evaluation yields the first token of the answer.
  const tokens = prompt.slice(0, -1)
  await sequence.adaptStateToTokens(tokens, false)
  const cachedTokens = sequence.nextTokenIndex
  for (let start = cachedTokens; start < tokens.length; start += prefillTokens) {
    signal.throwIfAborted()
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(start, start + prefillTokens))
  }
  return cachedTokens
}

async function run(
  loaded: Loaded,
  options: GenerateOptions & { readonly reader: PartReader },
  signal: AbortSignal,
): Promise<AnswerEnd['finishReason']> {
  const { request, functions, reader } = options
  const grammar = await createGrammar(loaded, request.grammar)
  const constraint =
    functions === undefined
      ? { ...(grammar === undefined ? {} : { grammar }) }
      : {
          functions,
          documentFunctionParams: true,
          maxParallelFunctionCalls: request.parallelToolCalls ? parallelCallsMax : 1,
          onFunctionCallParamsChunk: reader.onArguments,
          onFunctionCall: reader.onCall,
        }
  try {
    const { metadata } = await loaded.chat.generateResponse([...options.history], {
      ...samplerOptions(options),
      ...constraint,
      maxTokens: options.answerTokensMax,
      customStopTriggers: request.stop,
      contextShift: {
        size: () => {
          throw new ContextFull()
        },
      },
      onResponseChunk: reader.onChunk,
      signal,
    })
    if (metadata.stopReason === 'functionCalls') return 'tool_calls'
    return metadata.stopReason === 'maxTokens' ? 'length' : 'stop'
  } catch (error) {
    if (error instanceof ContextFull) return 'length'
    throw error
  }
}

/** llama.cpp refuses grammars that never produce anything, such as references in a circle. */
async function createGrammar(loaded: Loaded, grammar: string | undefined): Promise<LlamaGrammar | undefined> {
  if (grammar === undefined) return undefined
  try {
    return await loaded.llama.createGrammar({ grammar })
  } catch {
    throw invalidField('response_format.json_schema.schema', 'The schema cannot be made into a grammar.')
  }
}

function samplerOptions({ request: { sampling }, seed, ...options }: GenerateOptions) {
  const { frequencyPenalty, presencePenalty } = sampling
  const penalises = frequencyPenalty !== 0 || presencePenalty !== 0
  return {
    temperature: sampling.temperature,
    topP: sampling.topP,
    topK: sampling.topK,
    minP: sampling.minP,
    seed,
    repeatPenalty: penalises
      ? ({ lastTokens: options.answerTokensMax, penalty: 1, frequencyPenalty, presencePenalty } as const)
      : (false as const),
  }
}

interface PartReader {
  readonly onChunk: (chunk: LlamaChatResponseChunk) => void
  readonly onArguments: (chunk: { callIndex: number; functionName: string; paramsChunk: string }) => void
  readonly onCall: (call: { functionName: string; params: unknown }) => void
  reasoningTokens(): number
}

/** The library's callbacks → parts. White space at the end of arguments is its own end mark and is held back. */
function createPartReader(onPart: (part: AnswerPart) => void): PartReader {
  let reasoningTokens = 0
  let calls = 0
  let started = -1
  let held = ''
  const start = (index: number, name: string): void => {
    if (started >= index) return
    started = index
    held = ''
    onPart({ kind: 'call', index, name })
  }
  return {
    onChunk: chunk => {
      const isThought = chunk.type === 'segment' && chunk.segmentType === 'thought'
      if (isThought) reasoningTokens += chunk.tokens.length
      if (chunk.text !== '') onPart({ kind: isThought ? 'reasoning' : 'text', text: chunk.text })
    },
    onArguments: ({ callIndex, functionName, paramsChunk }) => {
      start(callIndex, functionName)
      const text = held + paramsChunk
      const kept = text.trimEnd()
      held = text.slice(kept.length)
      if (kept !== '') onPart({ kind: 'arguments', index: callIndex, text: kept })
    },
    onCall: ({ functionName }) => {
      // A tool without parameters has no arguments chunks.
      if (started < calls) {
        start(calls, functionName)
        onPart({ kind: 'arguments', index: calls, text: '{}' })
      }
      calls += 1
    },
    reasoningTokens: () => reasoningTokens,
  }
}
