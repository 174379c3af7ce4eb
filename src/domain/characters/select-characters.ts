import type { Character } from './types.ts'

type CharacterOrder =
  | 'featured'
  | 'highestRating'
  | 'highlyRated'
  | 'highlyRatedAndRecent'
  | 'imports'
  | 'mostRecent'
  | 'ratingCount'

/** Which characters are asked for. Null and empty lists ask for any; within a list one match is enough. */
export interface CharacterQuery {
  /** Part of a name, a description or a tag, in any case; with `#` before it, of a tag only. */
  readonly search: string | null
  readonly tags: readonly string[]
  readonly categories: readonly string[]
  readonly modelIds: readonly string[]
  readonly adult: boolean | null
  /** Whether the model that they were written for is for subscribed accounts only. */
  readonly pro: boolean | null
  readonly webEnabled: boolean | null
  /** Null leaves them in the operator's order. */
  readonly sortBy: CharacterOrder | null
  readonly ascending: boolean
  readonly limit: number
  readonly offset: number
}

export interface CharacterGround {
  /** Whether a model is for subscribed accounts only. */
  readonly isPro: (modelId: string) => boolean
}

/** The page of characters that a query asks for (venice.md §9). */
export function selectCharacters(
  characters: readonly Character[],
  query: CharacterQuery,
  ground: CharacterGround,
): readonly Character[] {
  const found = characters.filter(character => isMeant(character, query, ground))
  return inOrder(found, query).slice(query.offset, query.offset + query.limit)
}

function isMeant(character: Character, query: CharacterQuery, { isPro }: CharacterGround): boolean {
  const { modelId, adult, webEnabled } = character
  return (
    agrees(query.adult, adult) &&
    agrees(query.webEnabled, webEnabled) &&
    agrees(query.pro, modelId !== null && isPro(modelId)) &&
    (query.modelIds.length === 0 || (modelId !== null && query.modelIds.includes(modelId))) &&
    hasTag(character, query.tags) &&
    hasTag(character, query.categories) &&
    (query.search === null || isFound(character, query.search.toLowerCase()))
  )
}

function agrees(wanted: boolean | null, actual: boolean): boolean {
  return wanted === null || wanted === actual
}

/** Categories are not kept apart here: what an operator wants to be one is a tag. */
function hasTag({ tags }: Character, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true
  const own = new Set(tags.map(tag => tag.toLowerCase()))
  return wanted.some(tag => own.has(tag.toLowerCase()))
}

function isFound({ name, description, tags }: Character, search: string): boolean {
  const isTag = search.startsWith('#')
  const texts = isTag ? tags : [name, description, ...tags]
  const wanted = isTag ? search.slice(1) : search
  return texts.some(text => text.toLowerCase().includes(wanted))
}

/** Characters of the same rank stay in the operator's order. Nobody rates or imports them yet, so that all rank alike there. */
const ranks: Readonly<Record<CharacterOrder, (character: Character) => number>> = {
  featured: ({ featured }) => (featured ? 1 : 0),
  mostRecent: ({ createdAtMs }) => createdAtMs,
  highlyRatedAndRecent: ({ createdAtMs }) => createdAtMs,
  highestRating: () => 0,
  highlyRated: () => 0,
  imports: () => 0,
  ratingCount: () => 0,
}

function inOrder(characters: readonly Character[], { sortBy, ascending }: CharacterQuery): readonly Character[] {
  if (sortBy === null) return characters
  const rank = ranks[sortBy]
  return characters.toSorted((a, b) => (ascending ? rank(a) - rank(b) : rank(b) - rank(a)))
}
