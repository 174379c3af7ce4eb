import { isJsonObject, type JsonValue } from '../../lib/json.ts'

/**
 * What a request was refused for, where callers are to be told in words of their own. `policy`: its content. `context`: it
 * is longer than the model takes.
 */
export type RejectionKind = 'policy' | 'context' | 'other'

/** As OpenAI, Azure and those who speak like them call it, without case and separators. */
const policyCodes: ReadonlySet<string> = new Set([
  'contentfilter',
  'contentpolicy',
  'contentpolicyviolation',
  'moderationblocked',
  'prohibitedcontent',
  'responsibleaipolicyviolation',
  'safety',
])
const contextCodes: ReadonlySet<string> = new Set(['contextlengthexceeded'])

/** OpenAI, Azure, Anthropic and Google tell it in words, too, and some of them in words only. */
const policyWords =
  /\b(?:content|usage|safety)\s+(?:management\s+|filtering\s+|moderation\s+)?polic(?:y|ies)\b|\bblocked (?:due to|by|because of)\b.{0,60}\b(?:safety|prohibited|polic(?:y|ies))\b/i
const contextWords =
  /\bmaximum context length\b|\bprompt is too long\b|\bexceeds? (?:the )?(?:model'?s )?context (?:length|window|limit)\b/i

/** Texts are read so far: where a reason stands, it stands near the beginning. */
const wordsMax = 2_000

/** `error` is the object that an engine explains itself with, `message` what was found in it or in its stead. */
export function rejectionKind(error: JsonValue | undefined, message: string): RejectionKind {
  const codes = codesOf(error)
  const words = message.slice(0, wordsMax)
  if (codes.some(code => policyCodes.has(code)) || policyWords.test(words)) return 'policy'
  return codes.some(code => contextCodes.has(code)) || contextWords.test(words) ? 'context' : 'other'
}

/** Azure puts its own code one level deeper. */
function codesOf(error: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(error)) return []
  const inner = error['innererror'] ?? error['inner_error']
  const own = [error['code'], error['type'], error['reason'], error['status']]
  return [...own, isJsonObject(inner) ? inner['code'] : null].flatMap(code =>
    typeof code === 'string'
      ? [
          code
            .slice(0, wordsMax)
            .toLowerCase()
            .replace(/[^a-z]/g, ''),
        ]
      : [],
  )
}
