import { expect, test } from 'vitest'
import { type CharacterQuery, selectCharacters } from './select-characters.ts'
import type { Character } from './types.ts'

function character(slug: string, change: Partial<Character> = {}): Character {
  return {
    slug,
    name: slug,
    description: '',
    systemPrompt: 'x',
    contextMessages: [],
    customSystemPrompt: false,
    modelId: null,
    tags: [],
    adult: false,
    featured: false,
    webEnabled: false,
    createdAtMs: 0,
    updatedAtMs: 0,
    ...change,
  }
}

const all = [
  character('sage', { name: 'Old Sage', tags: ['Calm', 'wise'], modelId: 'demo/pro', createdAtMs: 2 }),
  character('pirate', { description: 'A CALM sea', adult: true, featured: true, modelId: 'demo/one', createdAtMs: 1 }),
  character('robot', { webEnabled: true, tags: ['wise'], createdAtMs: 3 }),
]

const any: CharacterQuery = {
  search: null,
  tags: [],
  categories: [],
  modelIds: [],
  adult: null,
  pro: null,
  webEnabled: null,
  sortBy: null,
  ascending: false,
  limit: 50,
  offset: 0,
}

function select(change: Partial<CharacterQuery>): string[] {
  const ground = { isPro: (modelId: string) => modelId === 'demo/pro' }
  return selectCharacters(all, { ...any, ...change }, ground).map(({ slug }) => slug)
}

test.each<[string, Partial<CharacterQuery>, string[]]>([
  ['nothing', {}, ['sage', 'pirate', 'robot']],
  ['part of a name', { search: 'OLD' }, ['sage']],
  ['part of a tag or a description', { search: 'calm' }, ['sage', 'pirate']],
  ['a hashtag', { search: '#calm' }, ['sage']],
  ['one of two tags, in any case', { tags: ['none', 'CALM'] }, ['sage']],
  ['a category, which is a tag', { categories: ['wise'] }, ['sage', 'robot']],
  ['a tag and a category', { tags: ['calm'], categories: ['none'] }, []],
  ['one of two models', { modelIds: ['demo/one', 'demo/pro'] }, ['sage', 'pirate']],
  ['adults', { adult: true }, ['pirate']],
  ['no adults', { adult: false }, ['sage', 'robot']],
  ['a model for subscribers', { pro: true }, ['sage']],
  ['no model for subscribers', { pro: false }, ['pirate', 'robot']],
  ['the web', { webEnabled: true }, ['robot']],
  ['no web', { webEnabled: false }, ['sage', 'pirate']],
])('characters are found by %s', (_, query, slugs) => {
  expect(select(query)).toEqual(slugs)
})

test.each<[CharacterQuery['sortBy'], string[], string[]]>([
  ['featured', ['pirate', 'sage', 'robot'], ['sage', 'robot', 'pirate']],
  ['mostRecent', ['robot', 'sage', 'pirate'], ['pirate', 'sage', 'robot']],
  ['highlyRatedAndRecent', ['robot', 'sage', 'pirate'], ['pirate', 'sage', 'robot']],
  ['highestRating', ['sage', 'pirate', 'robot'], ['sage', 'pirate', 'robot']],
  ['highlyRated', ['sage', 'pirate', 'robot'], ['sage', 'pirate', 'robot']],
  ['imports', ['sage', 'pirate', 'robot'], ['sage', 'pirate', 'robot']],
  ['ratingCount', ['sage', 'pirate', 'robot'], ['sage', 'pirate', 'robot']],
])('%s sorts downwards unless upwards is asked for', (sortBy, down, up) => {
  expect(select({ sortBy })).toEqual(down)
  expect(select({ sortBy, ascending: true })).toEqual(up)
})

test('a page is cut out of what was found', () => {
  expect(select({ limit: 1, offset: 1 })).toEqual(['pirate'])
  expect(select({ limit: 5, offset: 3 })).toEqual([])
})
