import { describe, expect, it } from 'vitest'
import { decoded, issuesOf, names, refusalOf } from '../../../../test/support/venice/decode-body.ts'
import { saying, tooBig } from '../../../../test/support/venice/expected-issues.ts'
import { defaultSettings } from '../settings.ts'
import { decodeChatObject } from './decode-chat.ts'

/** Each key of a suffix, with its setting and the words that it takes (venice.md §1.6). */
const switches = { true: true, false: false }
const keys: readonly (readonly [key: string, setting: string, words: Readonly<Record<string, unknown>>])[] = [
  ['enable_web_search', 'enableWebSearch', { on: 'on', off: 'off', auto: 'auto' }],
  ['enable_web_citations', 'enableWebCitations', switches],
  ['enable_web_scraping', 'enableWebScraping', switches],
  ['include_venice_system_prompt', 'includeVeniceSystemPrompt', switches],
  ['include_search_results_in_stream', 'includeSearchResultsInStream', switches],
  ['return_search_results_as_documents', 'returnSearchResultsAsDocuments', switches],
  ['character_slug', 'characterSlug', { 'alan-watts': 'alan-watts', '%E6%97%A5%20x': '日 x', 'a%3Db%26c': 'a=b&c' }],
  ['strip_thinking_response', 'stripThinkingResponse', switches],
  ['disable_thinking', 'disableThinking', switches],
]

function settingsFor(model: string, members: object = {}) {
  const { request, settings } = decoded({ model, ...members })
  return { name: request.modelId, settings }
}

describe.each(keys)('the suffix %s', (key, setting, words) => {
  it.each(Object.entries(words))('takes %s', (word, value) => {
    expect(settingsFor(`m:${key}=${word}`)).toEqual({ name: 'm', settings: { ...defaultSettings, [setting]: value } })
  })

  it.each(['', '=', '=1', '=TRUE', '=yes', '=%E0%A4%A', '=true=false'])('does not take %j', value => {
    const isText = key === 'character_slug'
    if (isText && /[1Ey]/i.test(value)) return
    expect(issuesOf({ model: `m:${key}${value}` })).toEqual([
      {
        ...saying(`The model suffix ${key} takes ${isText ? 'a URL-encoded text' : Object.keys(words).join(' or ')}`),
        path: ['model'],
      },
    ])
  })
})

describe('a suffix', () => {
  it('may hold several settings, and wins over venice_parameters', () => {
    const given = { venice_parameters: { enable_web_search: 'off', disable_thinking: true, enable_x_search: true } }
    const { settings } = settingsFor('m:enable_web_search=auto&disable_thinking=false', given)
    expect(settings).toEqual({ ...defaultSettings, enableWebSearch: 'auto', enableXSearch: true })
  })

  it.each([
    '',
    '&',
    '&&',
    'zebra=1',
    'zebra',
    '=',
    'zebra=%E0',
    'enable_e2ee=false',
    'enable_x_search=true',
    'Disable_Thinking=true',
  ])('that is %j says nothing', suffix => {
    expect(settingsFor(`m:${suffix}`)).toEqual({ name: 'm', settings: defaultSettings })
  })

  it('tells each bad value', () => {
    expect(issuesOf({ model: 'm:disable_thinking=1&enable_web_search=2&zebra=3' })).toHaveLength(2)
  })

  it('is told beside what else is wrong', () => {
    expect(issuesOf({ model: 'm:disable_thinking=1', temperature: 9 })).toHaveLength(2)
  })
})

describe('the name before the suffix', () => {
  it.each([
    ['m', 'm'],
    ['family:8b', 'family:8b'],
    ['family:8b:disable_thinking=true', 'family:8b'],
    ['family:8b:instruct:disable_thinking=true', 'family:8b:instruct'],
    ['family:8b:other', 'family:8b'],
    ['unknown', 'unknown'],
    ['unknown:70b', 'unknown:70b'],
    ['unknown:70b:disable_thinking=true', 'unknown:70b'],
    [':disable_thinking=true', ':disable_thinking=true'],
  ])('of %s is %s', (model, name) => {
    expect(settingsFor(model).name).toBe(name)
  })

  it('may be long, but not so long that looking it up takes time', () => {
    expect(settingsFor('x'.repeat(1_024)).name).toHaveLength(1_024)
    expect(issuesOf({ model: ':'.repeat(1_000_000) })).toEqual([{ ...tooBig(1_024, 'string'), path: ['model'] }])
    let lookUps = 0
    const counting = { hasModel: () => ++lookUps < 0 }
    const endless = { model: ':'.repeat(1_000_000), messages: [{ role: 'user', content: 'x' }] }
    expect(() => decodeChatObject(endless, counting)).toThrow()
    expect(lookUps).toBe(0)
    decodeChatObject({ model: `a${':'.repeat(1_023)}`, messages: [{ role: 'user', content: 'x' }] }, counting)
    expect(lookUps).toBeLessThanOrEqual(1_024)
  })
})

describe('a request without a model', () => {
  it.each([
    [undefined, 'model is required'],
    [null, 'model is required'],
    ['', 'model is required'],
    [5, 'model must be a string'],
    [['m'], 'model must be a string'],
    [{}, 'model must be a string'],
  ])('that is %j is told so alone, in the words that clients know', (model, message) => {
    const error = refusalOf({ model, temperature: 9 })
    expect([error.code, error.message, error.options]).toEqual(['invalid_parameters', message, { param: 'model' }])
  })

  it('is refused for an empty body too', () => {
    expect(() => decodeChatObject({}, names)).toThrow('model is required')
  })
})
