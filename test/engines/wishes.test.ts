import { describe, expect, it } from 'vitest'
import { encodeEngineBody } from '../../src/adapters/engines/engine-body.ts'
import type { EnginePreset } from '../../src/adapters/engines/engine-presets.ts'
import type { ReasoningWish } from '../../src/core/completion-request.ts'
import type { EngineCall, EngineWishes } from '../../src/domain/engines/types.ts'
import { type JsonValue, parseJson } from '../../src/lib/json.ts'
import { scanObject } from '../../src/lib/json-scan.ts'

const presets: EnginePreset[] = ['generic', 'vllm', 'sglang', 'llamacpp', 'ollama', 'lmstudio', 'openai']
const xSearch = { search_parameters: { mode: 'on' }, user: 'x' }
const silent: ReasoningWish = { effort: null, enabled: null, summary: null, verbosity: null }
const noWishes: EngineWishes = {
  reasoning: silent,
  cacheRetention: null,
  accountCacheKey: null,
  endUserId: 'hashed',
  fallbacks: [],
  searchX: false,
}

interface Asked {
  readonly wishes: EngineWishes | null
  readonly text?: string
  readonly denied?: string[]
}

function bodyFor(preset: EnginePreset, { wishes, text = '{"model":"m"}', denied = [] }: Asked): string {
  const bytes = Buffer.from(text)
  const call: EngineCall = {
    requestId: 'req_1',
    engineModel: 'own',
    stream: false,
    choices: 1,
    outputLimit: 9,
    body: { bytes, members: scanObject(bytes).members, removedKeys: new Set(), promptCacheKey: null },
    deniedKeys: new Set(),
    promptCacheKey: null,
    wishes,
  }
  const rules = { preset, maxTokensField: 'max_tokens' as const, deniedKeys: new Set(denied), xSearch }
  return Buffer.concat(encodeEngineBody(call, rules)).toString()
}

/** What the wishes added. */
function added(preset: EnginePreset, wish: Partial<EngineWishes>, rest: Omit<Asked, 'wishes'> = {}): JsonValue {
  const {
    model: _model,
    max_tokens: _limit,
    ...members
  } = Object(parseJson(bodyFor(preset, { wishes: { ...noWishes, ...wish }, ...rest })))
  return members
}

function thinking(wish: Partial<ReasoningWish>): Partial<EngineWishes> {
  return { reasoning: { ...silent, ...wish } }
}

describe('a search of X', () => {
  it.each(presets)('is told to %s in the words of the operator, which no list holds back', preset => {
    expect(added(preset, { searchX: true }, { denied: ['search_parameters'] })).toMatchObject(xSearch)
  })

  it.each(presets)('is not told to %s where nobody asked for it', preset => {
    expect(added(preset, {})).not.toHaveProperty('search_parameters')
  })
})

describe('a forwarded request', () => {
  it.each(presets)('reaches %s without a member of ours', preset => {
    expect(bodyFor(preset, { wishes: null })).toBe('{"model":"own","max_tokens":9}')
  })
})

describe('the end user', () => {
  it.each(presets)('has a name of ours at %s', preset => {
    const name = preset === 'openai' ? 'safety_identifier' : 'user'
    expect(added(preset, {})).toEqual({ [name]: 'hashed' })
  })
})

describe('reasoning', () => {
  it.each(['vllm', 'sglang', 'llamacpp'] as const)('is a switch of the chat template for %s', preset => {
    const on = { enable_thinking: true, thinking: true }
    expect(added(preset, thinking({ enabled: false }))).toEqual({
      user: 'hashed',
      chat_template_kwargs: { enable_thinking: false, thinking: false },
    })
    expect(added(preset, thinking({ enabled: true }))).toEqual({ user: 'hashed', chat_template_kwargs: on })
    expect(added(preset, thinking({ effort: 'high' }))).toEqual({
      user: 'hashed',
      reasoning_effort: 'high',
      chat_template_kwargs: on,
    })
  })

  it("leaves the caller's own switches of the template as they are", () => {
    const text = '{"model":"m","chat_template_kwargs":{"thinking":false,"tone":"dry"}}'
    expect(added('vllm', thinking({ enabled: true }), { text })).toMatchObject({
      chat_template_kwargs: { enable_thinking: true, thinking: false, tone: 'dry' },
    })
  })

  it.each(['generic', 'ollama', 'lmstudio', 'openai'] as const)('is an effort for %s', preset => {
    expect(added(preset, thinking({ enabled: false }))).toMatchObject({ reasoning_effort: 'none' })
    expect(added(preset, thinking({ effort: 'low' }))).toMatchObject({ reasoning_effort: 'low' })
    expect(added(preset, thinking({ enabled: true }))).not.toHaveProperty('reasoning_effort')
  })
})

describe("what only OpenAI's API takes", () => {
  const wish = {
    reasoning: { ...silent, verbosity: 'low' },
    cacheRetention: 'extended',
    accountCacheKey: 'account',
  }
  it('reaches it', () => {
    expect(added('openai', wish)).toEqual({
      safety_identifier: 'hashed',
      verbosity: 'low',
      prompt_cache_retention: '24h',
      prompt_cache_key: 'account',
    })
    expect(added('openai', { ...wish, cacheRetention: '24h' })).toMatchObject({ prompt_cache_retention: '24h' })
    expect(added('openai', { ...wish, cacheRetention: 'default' })).not.toHaveProperty('prompt_cache_retention')
    expect(added('openai', thinking({ verbosity: 'auto' }))).toEqual({ safety_identifier: 'hashed' })
  })

  it.each(presets.filter(preset => preset !== 'openai'))('stays away from %s', preset => {
    expect(added(preset, wish)).toEqual({ user: 'hashed' })
  })
})

it("an operator's list holds back what an engine chokes on", () => {
  expect(added('openai', thinking({ effort: 'low' }), { denied: ['reasoning_effort', 'safety_identifier'] })).toEqual(
    {},
  )
})
