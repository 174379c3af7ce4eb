import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Installation } from '../gateway/rialto-command.ts'

/** Writes characters, by their slug, where an installation looks for them. JSON is YAML. */
export async function makeCharacters(
  { folder }: Pick<Installation, 'folder'>,
  characters: Readonly<Record<string, object>>,
): Promise<void> {
  const place = join(folder, 'characters')
  await mkdir(place, { recursive: true })
  for (const [slug, settings] of Object.entries(characters)) {
    const character = { slug, name: slug, systemPrompt: `You are ${slug}.`, ...settings }
    await writeFile(join(place, `${slug}.yaml`), JSON.stringify(character))
  }
}
