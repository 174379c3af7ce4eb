import type { CompletionEvent } from '../../../core/completion-event.ts'
import { createFault } from '../../../domain/engines/create-fault.ts'
import type { JsonObject, JsonValue } from '../../../lib/json.ts'
import { type Piece, type PieceLimits, takeTurns } from './answer-pieces.ts'
import { breakOff } from './break-off.ts'
import { composeAnswer } from './compose-answer.ts'
import { inventLogprobs } from './invent-logprobs.ts'
import type { Pace } from './pace.ts'
import type { SandboxRequest } from './read-request.ts'
import { reportUsage } from './report-usage.ts'

/** Pieces that are sent in one go when nothing slows them down; then others have their turn. */
const piecesPerTurn = 32

/** Log-probabilities are a hundred times as large as their tokens, so that answers with them are shorter. */
const tokensWithLogprobsMax = 2_000

export interface AnswerOptions {
  readonly pace: Pace
  /** Longest silence between two chunks, in milliseconds. */
  readonly idleMs: number
  /** Seconds since the epoch. */
  readonly created: number
}

/**
 * The answer as an engine would send it: the role of each choice, its text in pieces, why it ended, usage, the end.
 * @throws EngineFault where a magic input wants the answer to break off, and when the call is given up
 */
export async function* answerEvents(request: SandboxRequest, options: AnswerOptions): AsyncGenerator<CompletionEvent> {
  const { magic, sampling, prompt } = request
  const chunk = chunkMaker(request, options.created)
  if (magic['error-first']) throw createFault('bad_answer', { message: 'the stream begins with an error' })
  const answers = Array.from({ length: sampling.choices }, (_, index) => composeAnswer(request, index))
  for (const [index, answer] of answers.entries()) yield chunk({ index, delta: answer.opening })
  const counts = { prompt: prompt.tokens, completion: 0, reasoning: 0 }
  const ended: CompletionEvent[] = []
  let sent = 0
  for (const step of takeTurns(answers, limitsOf(request))) {
    if (!('piece' in step)) {
      const reason = magic['no-finish'] ? null : (magic.finish ?? step.finishReason)
      ended.push(chunk({ index: step.index, delta: {}, finishReason: reason }))
      continue
    }
    const { piece, index } = step
    await beforePiece(sent, request, options)
    yield chunk({ index, delta: piece.delta, logprobs: logprobsOf(piece, sampling.logprobs) })
    counts.completion += piece.tokens
    if (piece.kind === 'reasoning') counts.reasoning += piece.tokens
    sent += 1
  }
  await breakOff(magic, { sent, isOver: true }, options)
  yield* ended
  for (const usage of reportUsage(counts, magic)) yield { type: 'usage', usage }
  yield { type: 'end' }
}

async function beforePiece(sent: number, { magic }: SandboxRequest, options: AnswerOptions): Promise<void> {
  const { pace, idleMs } = options
  await breakOff(magic, { sent, isOver: false }, options)
  if (magic.slow !== undefined) await pace.wait(magic.slow, { ms: idleMs, kind: 'idle_timeout' })
  else if (sent % piecesPerTurn === piecesPerTurn - 1) await pace.yieldTurn()
  else pace.check()
}

function limitsOf({ magic, outputLimit, sampling }: SandboxRequest): PieceLimits {
  const limit = magic['over-limit'] ? Number.POSITIVE_INFINITY : outputLimit
  return {
    tokensMax: sampling.logprobs === null ? limit : Math.min(limit, tokensWithLogprobsMax),
    tokensPerPiece: magic.large === undefined ? (magic['tokens-per-chunk'] ?? 1) : Number.POSITIVE_INFINITY,
  }
}

function logprobsOf({ kind, text }: Piece, alternatives: number | null): JsonValue {
  return alternatives === null || kind !== 'content' ? null : inventLogprobs(text, alternatives)
}

interface ChunkParts {
  readonly index: number
  readonly delta: JsonObject
  readonly logprobs?: JsonValue
  readonly finishReason?: string | null
}

function chunkMaker({ requestId, engineModel }: SandboxRequest, created: number) {
  const head = {
    id: `chatcmpl-test-${requestId}`,
    object: 'chat.completion.chunk',
    created,
    model: engineModel,
    system_fingerprint: 'test-mode-1',
  }
  return ({ index, delta, logprobs = null, finishReason = null }: ChunkParts): CompletionEvent => ({
    type: 'chunk',
    chunk: { ...head, choices: [{ index, delta, logprobs, finish_reason: finishReason }] },
  })
}
