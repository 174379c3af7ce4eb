import type { JsonMember } from '../lib/json-scan.ts'
import type { CompletionPolicy } from './completion-policy.ts'

/** The one request that all dialects decode into. The body stays bytes: what is not named here is forwarded as it came. */
export interface CompletionRequest {
  /** As asked, without suffix: the name that every answer shows. */
  readonly modelId: string
  readonly stream: boolean
  /** The larger of `n` and `best_of`, at least 1: it multiplies the hold. */
  readonly choices: number
  /** The caller's own output limit in tokens; null when none was given. */
  readonly outputLimit: number | null
  readonly prompt: PromptSize
  readonly body: RequestBody
  readonly search: SearchRequest | null
  readonly policy: CompletionPolicy
}

/** A JSON object that was checked as a whole, with the spans of its top-level members. */
export interface RequestBody {
  readonly bytes: Buffer
  readonly members: readonly JsonMember[]
  /** Top-level names that were meant for the gateway, not for an engine: their members never leave it. */
  readonly removedKeys: ReadonlySet<string>
  /** The caller's end-user cache name, replaced by a keyed hash before it reaches an engine (venym.md §2.4). */
  readonly promptCacheKey: string | null
}

/** What the prompt measures before anybody tokenised it. */
export interface PromptSize {
  /** UTF-8 bytes of everything sent, data URLs left out: a token is at least a byte, so this bounds the hold. */
  readonly boundBytes: number
  /** Unicode code points of the messages' text: the estimate for the bill when an engine reports no usage. */
  readonly characters: number
  readonly messages: number
  readonly images: number
  /** Seconds of audio and video, rounded up; bounded by the parts' size where no duration is known. */
  readonly mediaSeconds: number
}

export interface SearchRequest {
  readonly results: number
}
