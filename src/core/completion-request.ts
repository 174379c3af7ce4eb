import type { JsonObject } from '../lib/json.ts'
import type { JsonMember } from '../lib/json-scan.ts'
import type { CompletionPolicy } from './completion-policy.ts'
import type { GroundingWish } from './grounding.ts'
import type { MediaPlace } from './media.ts'
import type { ImageSize } from './media-costs.ts'
import type { Capabilities } from './model.ts'

/** The one request that all dialects decode into. */
export interface CompletionRequest {
  /** The name that was asked for, without suffix. */
  readonly modelId: string
  readonly stream: boolean
  /** The larger of `n` and `best_of`, at least 1: it multiplies the hold. */
  readonly choices: number
  /** The caller's own output limit in tokens; null when none was given. */
  readonly outputLimit: number | null
  readonly content: RequestContent
  /** Null where nothing is to be looked up. */
  readonly grounding: GroundingWish | null
  /** What the model must be able to do, in the order in which a caller is told. */
  readonly needs: readonly CapabilityNeed[]
  /** Null: the answer passes as the engine sent it, but for our names and figures. */
  readonly answer: AnswerRules | null
  readonly policy: CompletionPolicy
}

/**
 * `forwarded`: the body stays bytes, and what is not named here reaches the engine as it came. `composed`: the gateway
 * writes the body itself, once it knows the model.
 */
type RequestContent =
  | { readonly kind: 'forwarded'; readonly body: RequestBody; readonly prompt: PromptSize; readonly media: ReadMedia }
  | { readonly kind: 'composed'; readonly composition: Composition }

/** What of a forwarded body may have to be checked, fetched or converted before an engine gets it. */
interface ReadMedia {
  readonly places: readonly MediaPlace[]
  /** Parsed; empty where nobody has to look at them. */
  readonly messages: readonly JsonObject[]
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

/** What the gateway makes an engine's body of. Everything was checked; nothing depends on the model yet. */
export interface Composition {
  /** In OpenAI's form, whatever form they came in. */
  readonly messages: readonly JsonObject[]
  /** Where the caller wrote the parts that are not text. */
  readonly mediaPaths: ReadonlyMap<JsonObject, MediaPlace['path']>
  /** Further members of the engine's body, as the caller gave them: sampling, tools, formats. */
  readonly parameters: JsonObject
  readonly reasoning: ReasoningWish
  readonly persona: Persona
  /** Null stands for one name per account, so that an account's prompts meet the same node. */
  readonly promptCacheKey: string | null
  readonly cacheRetention: string | null
  /** The caller's own end user, for the engine's abuse reports. */
  readonly endUserId: string | null
  /** Models that an engine with fallbacks of its own may take instead. */
  readonly fallbacks: readonly string[]
  /** Whether the engine shall search X by itself, where it can. */
  readonly searchX: boolean
}

/** How much a model shall think. `effort` wins over `enabled`; null is "as the model likes". */
export interface ReasoningWish {
  readonly effort: string | null
  readonly enabled: boolean | null
  readonly summary: string | null
  readonly verbosity: string | null
}

/** Whose words stand before the caller's. */
export interface Persona {
  readonly characterSlug: string | null
  readonly housePrompt: boolean
}

/** A capability that the request cannot do without, and the member of the body that asks for it. */
export interface CapabilityNeed {
  readonly capability: keyof Omit<Capabilities, 'quantization'>
  readonly path: readonly (string | number)[]
}

/** What is to be understood and changed in an answer on its way to the caller. */
interface AnswerRules {
  /** Reasoning is neither shown as such nor inside the text. It is billed all the same (money.md §5). */
  readonly stripReasoning: boolean
}

/** What the prompt measures before anybody tokenised it. */
export interface PromptSize {
  /** UTF-8 bytes of everything sent, data URLs left out: a token is at least a byte, so this bounds the hold. */
  readonly boundBytes: number
  /** Unicode code points of the messages' text: the estimate for the bill when an engine reports no usage. */
  readonly characters: number
  readonly messages: number
  /** Of a size that nobody knows yet. */
  readonly images: number
  /** Those that were looked at. */
  readonly imageSizes: readonly ImageSize[]
  /** Rounded up; bounds by the parts' size, since no duration is known before a part was read. */
  readonly audioSeconds: number
  readonly videoSeconds: number
}
