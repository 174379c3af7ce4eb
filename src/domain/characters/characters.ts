import { GatewayError } from '../../core/gateway-error.ts'
import type { Character } from './types.ts'

/** The personas of an installation. */
export interface Characters {
  /** All of them, in the operator's order. */
  list(): readonly Character[]
  has(slug: string): boolean
  /** @throws GatewayError character_not_found */
  find(slug: string): Character
  /** Puts another set in place at once. @throws RangeError when two have the same slug */
  replace(characters: readonly Character[]): void
}

/** @throws RangeError when two characters have the same slug */
export function createCharacters(characters: readonly Character[]): Characters {
  let bySlug = indexCharacters(characters)
  return {
    list: () => [...bySlug.values()],
    has: slug => bySlug.has(slug),
    find(slug) {
      const character = bySlug.get(slug)
      if (character === undefined)
        throw new GatewayError('character_not_found', 'There is no character with this slug.', {
          param: 'character_slug',
        })
      return character
    },
    replace(next) {
      bySlug = indexCharacters(next)
    },
  }
}

function indexCharacters(characters: readonly Character[]): ReadonlyMap<string, Character> {
  const bySlug = new Map(characters.map(character => [character.slug, character]))
  if (bySlug.size < characters.length) throw new RangeError('two characters have the same slug')
  return bySlug
}
