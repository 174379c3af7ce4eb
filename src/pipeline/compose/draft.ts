import type { PromptSize, ReasoningWish, RequestBody } from '../../core/completion-request.ts'
import type { MediumSize } from '../../core/measure-media.ts'
import type { MediaPlace } from '../../core/media.ts'
import type { JsonObject } from '../../lib/json.ts'
import { RawTexts } from '../../lib/raw-texts.ts'

/** Parts by those that they stand for. */
export type PreparedParts = ReadonlyMap<JsonObject, JsonObject>

/** Parts whose media are marks of `texts`. */
export interface PreparedMedia {
  readonly parts: PreparedParts
  readonly texts: RawTexts
  /** What the callers' media turned out to be; nothing of those whose size is not known. */
  readonly sizes: ReadonlyMap<JsonObject, MediumSize>
}

/** For drafts without media. */
export const nothingPrepared: PreparedMedia = { parts: new Map(), texts: new RawTexts(''), sizes: new Map() }

/** What an engine gets, and what it measures now that everything is in it. */
export interface WrittenBody {
  readonly body: RequestBody
  readonly prompt: PromptSize
}

/** An engine's body before its media were prepared: nothing is fetched or decoded before it is paid for (money.md §2). */
export interface Draft {
  /** What has to be prepared; empty for most requests. */
  readonly media: readonly MediaPlace[]
  /** An upper bound of what `write` will measure. */
  readonly prompt: PromptSize
  /** Null for a body that says all of it itself. */
  readonly reasoning: ReasoningWish | null
  /** About how many tokens of the prompt the gateway put before the caller's. */
  readonly injectedTokens: number
  /** Those of the operator's texts that it put there, which callers may not read. */
  readonly injectedTexts: readonly string[]
  /** The body with prepared parts in the places of the callers'. A large one is written in several turns of the event loop. */
  write(prepared: PreparedMedia, signal?: AbortSignal): Promise<WrittenBody>
}

export function replaceParts(messages: readonly JsonObject[], prepared: PreparedParts): readonly JsonObject[] {
  if (prepared.size === 0) return messages
  return messages.map(message => {
    const { content } = message
    if (!Array.isArray(content) || !content.some(part => prepared.has(part as JsonObject))) return message
    return { ...message, content: content.map(part => prepared.get(part as JsonObject) ?? part) }
  })
}
