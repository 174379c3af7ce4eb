import { describe, expect, it } from 'vitest'
import { decoded, issuesOf } from '../../../../test/support/venice/decode-body.ts'
import { notOneOf, wrongType } from '../../../../test/support/venice/expected-issues.ts'
import { defaultSettings } from '../settings.ts'

/** Booleans of venice.md §1.7 with their settings. */
const flags = [
  ['strip_thinking_response', 'stripThinkingResponse'],
  ['disable_thinking', 'disableThinking'],
  ['enable_e2ee', 'enableE2ee'],
  ['enable_web_scraping', 'enableWebScraping'],
  ['enable_web_citations', 'enableWebCitations'],
  ['include_search_results_in_stream', 'includeSearchResultsInStream'],
  ['return_search_results_as_documents', 'returnSearchResultsAsDocuments'],
  ['include_venice_system_prompt', 'includeVeniceSystemPrompt'],
  ['enable_x_search', 'enableXSearch'],
] as const

const settingsOf = (venice_parameters: object | null) => decoded({ venice_parameters }).settings

describe.each(flags)('%s', (key, setting) => {
  it.each([true, false])('takes %j', value => {
    expect(settingsOf({ [key]: value })).toEqual({ ...defaultSettings, [setting]: value })
  })

  it.each([
    ['true', 'string'],
    [1, 'number'],
    [[], 'array'],
    [{}, 'object'],
  ])('refuses %j', (value, received) => {
    const path = ['venice_parameters', key]
    expect(issuesOf({ venice_parameters: { [key]: value } })).toEqual([{ ...wrongType('boolean', received), path }])
  })

  it('has its default when it is null', () => {
    expect(settingsOf({ [key]: null })).toEqual(defaultSettings)
  })
})

describe('enable_web_search', () => {
  it.each([
    ['off', 'off'],
    ['on', 'on'],
    ['auto', 'auto'],
    [true, 'on'],
    [false, 'off'],
    [null, 'off'],
  ])('of %j is %s', (value, mode) => {
    const { settings, request } = decoded({ venice_parameters: { enable_web_search: value } })
    expect(settings).toEqual({ ...defaultSettings, enableWebSearch: mode })
    expect(request.grounding?.search ?? 'off').toBe(mode)
  })

  it.each([
    ['ON', notOneOf(['off', 'on', 'auto'], 'ON')],
    [1, wrongType("'off' | 'on' | 'auto'", 'number')],
    [{}, wrongType("'off' | 'on' | 'auto'", 'object')],
  ])('refuses %j', (value, issue) => {
    const path = ['venice_parameters', 'enable_web_search']
    expect(issuesOf({ venice_parameters: { enable_web_search: value } })).toEqual([{ ...issue, path }])
  })
})

describe('character_slug', () => {
  it.each([
    ['alan-watts', 'alan-watts'],
    ['', null],
    [null, null],
  ])('of %j is %j', (value, slug) => {
    const { settings, composition } = decoded({ venice_parameters: { character_slug: value } })
    expect([settings.characterSlug, composition.persona.characterSlug]).toEqual([slug, slug])
  })

  it('refuses what is no text', () => {
    const path = ['venice_parameters', 'character_slug']
    expect(issuesOf({ venice_parameters: { character_slug: 1 } })).toEqual([{ ...wrongType('string', 'number'), path }])
  })
})

describe('settings', () => {
  it('have their defaults when nothing is asked for', () => {
    expect(decoded({}).settings).toEqual(defaultSettings)
    expect(settingsOf(null)).toEqual(defaultSettings)
  })

  it('lose unknown keys without a word', () => {
    expect(settingsOf({ of_tomorrow: { a: 1 }, __proto__x: 2 })).toEqual(defaultSettings)
  })

  it('decide whose words come first', () => {
    const { persona } = decoded({ venice_parameters: { include_venice_system_prompt: false } }).composition
    expect(persona).toEqual({ characterSlug: null, housePrompt: false })
  })

  it.each([
    [{}, false],
    [{ strip_thinking_response: true }, true],
    [{ disable_thinking: true }, true],
  ])('%j strip reasoning: %j', (venice_parameters, stripReasoning) => {
    expect(decoded({ venice_parameters }).request.answer).toEqual({ stripReasoning })
  })
})
