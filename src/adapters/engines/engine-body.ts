import type { EngineCall } from '../../domain/engines/types.ts'
import { foldName } from '../../lib/fold-name.ts'
import type { JsonObject } from '../../lib/json.ts'
import { spliceJson } from '../../lib/json-splice.ts'
import type { EnginePreset } from './engine-presets.ts'
import { wishMembers } from './wish-members.ts'

/** The two names that the output limit has; an engine gets the one that it understands. */
export type MaxTokensField = 'max_tokens' | 'max_completion_tokens'

export interface EngineBodyRules {
  readonly preset: EnginePreset
  readonly maxTokensField: MaxTokensField
  /** Of the preset and of the operator's own list, as `foldName` gives them. */
  readonly deniedKeys: ReadonlySet<string>
  /** Members by which the operator has it search X; they win over all others. */
  readonly xSearch: JsonObject
}

const otherField: Readonly<Record<MaxTokensField, MaxTokensField>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
}

/** Always exactly this: whoever bills needs the usage, whatever the caller asked for (venym.md §2.4). */
const streamOptions = Buffer.from('{"include_usage":true}')

/**
 * The body for one node: the caller's bytes with the few members replaced or removed that venym.md §2.4 names, in pieces
 * that are views of the original. Order, number spelling, white space and unknown members stay.
 */
export function encodeEngineBody(call: EngineCall, rules: EngineBodyRules): Buffer[] {
  const { body } = call
  const set = new Map<string, Buffer>([
    ...wishesOf(call, rules),
    ['model', encodeText(call.engineModel)],
    [rules.maxTokensField, Buffer.from(String(call.outputLimit))],
  ])
  if (call.stream) set.set('stream_options', streamOptions)
  if (call.promptCacheKey !== null) set.set('prompt_cache_key', encodeText(call.promptCacheKey))
  return spliceJson(body.bytes, body.members, { set, remove: removedKeys(call, rules, set) })
}

/** An operator's list also holds back what the gateway would add for a program that chokes on it. */
function wishesOf({ wishes, body, deniedKeys }: EngineCall, rules: EngineBodyRules): [string, Buffer][] {
  if (wishes === null) return []
  const kwargs = body.members.find(({ key }) => key === 'chat_template_kwargs')
  const ownKwargs = kwargs === undefined ? null : body.bytes.subarray(kwargs.valueStart, kwargs.valueEnd)
  const spelled = Object.entries(wishMembers(wishes, rules.preset, ownKwargs)).filter(
    ([name]) => !rules.deniedKeys.has(foldName(name)) && !deniedKeys.has(foldName(name)),
  )
  const searching = wishes.searchX ? Object.entries(rules.xSearch) : []
  return [...spelled, ...searching].map(([name, value]) => [name, Buffer.from(JSON.stringify(value))])
}

/** Of the members that are there, those that must not arrive. What is set anew is never among them. */
function removedKeys(call: EngineCall, rules: EngineBodyRules, set: ReadonlyMap<string, Buffer>): ReadonlySet<string> {
  const removed = new Set<string>()
  for (const { key } of call.body.members) {
    const folded = foldName(key)
    const denied = rules.deniedKeys.has(folded) || call.deniedKeys.has(folded)
    if (!set.has(key) && (denied || call.body.removedKeys.has(key) || isReplaced(key, rules))) removed.add(key)
  }
  return removed
}

/** Members that the gateway writes itself or not at all. */
function isReplaced(key: string, { maxTokensField }: EngineBodyRules): boolean {
  return key === otherField[maxTokensField] || key === 'stream_options' || key === 'prompt_cache_key'
}

function encodeText(text: string): Buffer {
  return Buffer.from(JSON.stringify(text))
}
