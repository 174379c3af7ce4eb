import { readYamlFolder } from '../adapters/system/yaml-folder.ts'
import { characterBounds, loadCharacters } from '../config/load-characters.ts'
import type { Character } from '../domain/characters/types.ts'

/** The characters of a folder as they are now. @throws ConfigError, Error with a text for the operator */
export async function readCharacters(folder: string): Promise<readonly Character[]> {
  return loadCharacters(await readYamlFolder(folder, characterBounds))
}
