import type { EngineWishes } from '../../domain/engines/types.ts'
import { isJsonObject, type JsonObject, parseJsonBytes } from '../../lib/json.ts'
import type { EnginePreset } from './engine-presets.ts'

/** How a program spells wishes: `template` for switches of the chat template, `effort` for an effort alone. */
interface WishSpelling {
  readonly reasoning: 'effort' | 'template'
  readonly endUser: 'safety_identifier' | 'user'
  /** Whether it knows the members that OpenAI added for caches and for how much is said. */
  readonly isOpenAi: boolean
}

const plain: WishSpelling = { reasoning: 'effort', endUser: 'user', isOpenAi: false }
const template: WishSpelling = { ...plain, reasoning: 'template' }

const spellings: Readonly<Record<EnginePreset, WishSpelling>> = {
  generic: plain,
  ollama: plain,
  lmstudio: plain,
  vllm: template,
  sglang: template,
  llamacpp: template,
  openai: { reasoning: 'effort', endUser: 'safety_identifier', isOpenAi: true },
}

/** Retentions of callers that mean the longest one there is, and how OpenAI calls it (venice.md §11). */
const longRetentions: ReadonlySet<string | null> = new Set(['extended', '24h'])

/** Members of the engine's body that stand for the wishes of a composed request, in the spelling of its program. */
export function wishMembers(wishes: EngineWishes, preset: EnginePreset, ownKwargs: Buffer | null): JsonObject {
  const spelling = spellings[preset]
  return {
    ...reasoningMembers(wishes, spelling, ownKwargs),
    ...(spelling.isOpenAi ? openAiMembers(wishes) : {}),
    [spelling.endUser]: wishes.endUserId,
  }
}

function reasoningMembers(
  { reasoning: { effort, enabled } }: EngineWishes,
  { reasoning: form }: WishSpelling,
  ownKwargs: Buffer | null,
): JsonObject {
  const isOff = effort === null && enabled === false
  if (form === 'effort') return isOff ? { reasoning_effort: 'none' } : givenEffort(effort)
  if (effort === null && enabled === null) return {}
  // Templates call the switch by one name or the other; those that do not know it ignore it.
  const switches = { enable_thinking: !isOff, thinking: !isOff }
  return { ...givenEffort(effort), chat_template_kwargs: { ...switches, ...readKwargs(ownKwargs) } }
}

function givenEffort(effort: string | null): JsonObject {
  return effort === null ? {} : { reasoning_effort: effort }
}

function openAiMembers({ reasoning: { verbosity }, cacheRetention, accountCacheKey }: EngineWishes): JsonObject {
  return {
    ...(verbosity === null || verbosity === 'auto' ? {} : { verbosity }),
    ...(longRetentions.has(cacheRetention) ? { prompt_cache_retention: '24h' } : {}),
    ...(accountCacheKey === null ? {} : { prompt_cache_key: accountCacheKey }),
  }
}

function readKwargs(bytes: Buffer | null): JsonObject {
  const value = bytes === null ? null : parseJsonBytes(bytes)
  return isJsonObject(value) ? value : {}
}
