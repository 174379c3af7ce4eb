import { type GatewayClient, GatewayUnreachable } from '../../core/gateway-client.ts'
import {
  type AnswerPiece,
  type AnswerSource,
  type AnswerUsage,
  decodeAnswerPiece,
} from '../../dialects/venym/decode-answer.ts'
import type { JsonObject } from '../../lib/json.ts'

const path = '/v1/chat/completions'

/** An answer as far as it came. */
export interface ReceivedAnswer {
  /** The completion's id; empty when the gateway did not get that far. */
  readonly id: string
  readonly text: string
  readonly reasoning: string
  readonly finishReason: string | null
  /** Null when it was stopped, or failed, before the end that says it. */
  readonly usage: AnswerUsage | null
  readonly sources: readonly AnswerSource[]
  /** Why it failed; null for success and for a stop. */
  readonly error: string | null
}

const nothing: ReceivedAnswer = {
  ...{ id: '', text: '', reasoning: '', finishReason: null, usage: null, sources: [], error: null },
}

/** Asks, hands on each piece as it comes, and resolves with the whole. A failure is part of the answer; it never rejects for one. */
export async function receiveAnswer(
  client: GatewayClient,
  { body, onPiece }: { readonly body: JsonObject; readonly onPiece: (piece: AnswerPiece) => void },
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
  let answer = nothing
  try {
    for await (const event of client.stream(path, body, signal)) {
      const piece = decodeAnswerPiece(event)
      answer = extend(answer, piece)
      onPiece(piece)
    }
    return answer
  } catch (error) {
    if (signal.aborted) return answer
    if (error instanceof GatewayUnreachable) return { ...answer, error: error.message }
    throw error
  }
}

function extend(answer: ReceivedAnswer, piece: AnswerPiece): ReceivedAnswer {
  return {
    id: answer.id || piece.id,
    text: answer.text + piece.text,
    reasoning: answer.reasoning + piece.reasoning,
    finishReason: piece.finishReason ?? answer.finishReason,
    usage: piece.usage ?? answer.usage,
    sources: piece.sources.length > 0 ? piece.sources : answer.sources,
    error: piece.error ?? answer.error,
  }
}
