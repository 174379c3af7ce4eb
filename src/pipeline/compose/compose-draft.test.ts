import { describe, expect, it } from 'vitest'
import { testModel } from '../../../test/support/model-builder.ts'
import type { Composition } from '../../core/completion-request.ts'
import type { Model } from '../../core/model.ts'
import { createCharacters } from '../../domain/characters/characters.ts'
import type { Character } from '../../domain/characters/types.ts'
import { isJsonObject, type JsonObject, parseJsonBytes } from '../../lib/json.ts'
import { composeDraft } from './compose-draft.ts'
import { nothingPrepared } from './draft.ts'

const user = { role: 'user', content: 'Hi' }
const plain: Composition = {
  messages: [user],
  mediaPaths: new Map(),
  parameters: {},
  reasoning: { effort: null, enabled: null, summary: null, verbosity: null },
  persona: { characterSlug: null, housePrompt: true },
  promptCacheKey: null,
  cacheRetention: null,
  endUserId: null,
  fallbacks: [],
  searchX: false,
}
const sage: Character = {
  slug: 'sage',
  name: 'Sage',
  description: '',
  systemPrompt: 'You are a sage.',
  contextMessages: [{ role: 'assistant', content: 'Ask.' }],
  customSystemPrompt: false,
  modelId: null,
  tags: [],
  adult: false,
  featured: false,
  webEnabled: false,
  createdAtMs: 0,
  updatedAtMs: 0,
}
const ground = {
  house: 'House rules.',
  characters: createCharacters([sage, { ...sage, slug: 'own', customSystemPrompt: true }]),
}

async function compose(change: Partial<Composition>, model: Partial<Model> = {}): Promise<JsonObject> {
  const { body } = await composeDraft({ ...plain, ...change }, testModel(model), ground).write(nothingPrepared)
  const object = parseJsonBytes(body.bytes)
  if (!isJsonObject(object)) throw new Error('the body is no object')
  return object
}

function wordsOf(body: JsonObject): readonly unknown[] {
  const { messages } = body
  return Array.isArray(messages) ? messages.map(message => (isJsonObject(message) ? message['content'] : null)) : []
}

describe('whose words come first', () => {
  it.each([
    [null, true, ['House rules.', 'Hi']],
    [null, false, ['Hi']],
    ['sage', true, ['House rules.\n\nYou are a sage.', 'Ask.', 'Hi']],
    ['sage', false, ['You are a sage.', 'Ask.', 'Hi']],
    ['own', true, ['You are a sage.', 'Ask.', 'Hi']],
  ])('character %s, house prompt %s: %j', async (characterSlug, housePrompt, words) => {
    expect(wordsOf(await compose({ persona: { characterSlug, housePrompt } }))).toEqual(words)
  })

  it('are counted apart, because the caller pays for them', () => {
    const { injectedTokens } = composeDraft(plain, testModel(), ground)
    expect(injectedTokens).toBe(3)
    const none = { ...plain, persona: { characterSlug: null, housePrompt: false } }
    expect(composeDraft(none, testModel(), ground).injectedTokens).toBe(0)
  })

  it('of a character that is not there are 404', async () => {
    await expect(compose({ persona: { characterSlug: 'nobody', housePrompt: true } })).rejects.toThrow(
      expect.objectContaining({ code: 'character_not_found' }),
    )
  })
})

describe('what the caller left open', () => {
  const constraints = { temperature: { default: 0.7 }, top_p: { default: 0.8 } }
  it('is set as the operator wants it, and what was given stays', async () => {
    expect(await compose({ parameters: { temperature: 0 } }, { constraints })).toMatchObject({
      temperature: 0,
      top_p: 0.8,
    })
  })
})

describe('a body', () => {
  it('may be as deep as callers send them, with what is wrapped around', async () => {
    const schema = JSON.parse(`${'{"a":'.repeat(62)}1${'}'.repeat(62)}`) as JsonObject
    const format = { type: 'json_schema', json_schema: { name: 'x', schema } }
    const { body } = await composeDraft(
      { ...plain, parameters: { response_format: format } },
      testModel(),
      ground,
    ).write(nothingPrepared)
    expect(body.members.map(({ key }) => key)).toContain('response_format')
  })
})

describe('pictures', () => {
  const picture = (name: string) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${name}` } })
  const text = { type: 'text', text: 'Look' }
  const messages = [
    { role: 'user', content: [text, picture('a'), picture('b')] },
    { role: 'assistant', content: 'Nice.' },
    { role: 'user', content: [picture('c'), picture('d')] },
  ]
  const capabilities = testModel().capabilities
  const namesIn = (body: JsonObject) =>
    JSON.stringify(body)
      .match(/base64,(\w)/g)
      ?.map(match => match.at(-1)) ?? []

  it('of one turn stay for a model that looks at one at a time', async () => {
    const body = await compose({ messages, persona: { characterSlug: null, housePrompt: false } })
    expect(namesIn(body)).toEqual(['c', 'd'])
    expect(wordsOf(body)[0]).toEqual([text])
  })

  it.each([
    [10, ['a', 'b', 'c', 'd']],
    [3, ['b', 'c', 'd']],
    [1, ['d']],
  ])('beyond %i go from the front', async (maxImages, names) => {
    expect(
      namesIn(await compose({ messages }, { maxImages, capabilities: { ...capabilities, multipleImages: true } })),
    ).toEqual(names)
  })
})

describe('marks for the prompt cache', () => {
  const mark = { type: 'ephemeral' }
  const marked = (content: string) => [{ type: 'text', text: content, cache_control: mark }]
  const turns = [
    { role: 'user', content: 'One' },
    { role: 'assistant', content: 'Two' },
    { role: 'user', content: 'Three' },
  ]

  it('stand at the end of the system prompt and of the last turn but one', async () => {
    expect(wordsOf(await compose({ messages: turns }, { family: 'claude' }))).toEqual([
      marked('House rules.'),
      marked('One'),
      'Two',
      'Three',
    ])
  })

  it('are the caller’s own where it set as many as there may be', async () => {
    const own = Array.from({ length: 4 }, (_, index) => ({ role: 'user', content: marked(`${index}`) }))
    const body = await compose({ messages: own }, { family: 'claude' })
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4)
    expect(wordsOf(body)[0]).toBe('House rules.')
  })

  it('never reach engines that do not take them', async () => {
    const body = await compose({ messages: [{ role: 'user', content: marked('x') }] })
    expect(wordsOf(body)).toEqual(['House rules.', [{ type: 'text', text: 'x' }]])
  })
})

describe('thinking', () => {
  const wish = plain.reasoning
  const capabilities = { ...testModel().capabilities, reasoning: true }
  const options = { efforts: ['low', 'medium', 'high'], default: 'medium', canDisable: false }
  const wished = (change: Partial<typeof wish>, model: Partial<Model> = {}) =>
    composeDraft(
      { ...plain, reasoning: { ...wish, ...change } },
      testModel({ capabilities, reasoning: options, ...model }),
      ground,
    ).reasoning

  it.each([
    [{ enabled: false }, { effort: 'low', enabled: null }],
    [{ effort: 'none' }, { effort: 'low', enabled: null }],
    [
      { effort: 'high', enabled: false },
      { effort: 'high', enabled: false },
    ],
    [{ effort: 'minimal' }, { effort: 'low' }],
    [{ effort: 'xhigh' }, { effort: 'xhigh' }],
    [{ enabled: true }, { effort: null, enabled: true }],
  ])('%j of a model that cannot stop becomes %j', (change, expected) => {
    expect(wished(change)).toMatchObject(expected)
  })

  it.each([[{ enabled: false }], [{ effort: 'none' }]])('%j stops a model that can', change => {
    expect(wished(change, { reasoning: { ...options, canDisable: true } })).toMatchObject({
      effort: null,
      enabled: false,
    })
  })

  it('is not asked of a model that does not think', async () => {
    const silent = wished(
      { effort: 'high', summary: 'auto', verbosity: 'low' },
      { capabilities: testModel().capabilities },
    )
    expect(silent).toEqual({ effort: null, enabled: null, summary: null, verbosity: 'low' })
  })
})
