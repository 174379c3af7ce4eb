import { ConfigError } from './check/config-error.ts'
import { describeIssue, type Finding } from './check/describe-issue.ts'
import { type CharacterSettings, characterSchema } from './schema/character-schema.ts'
import { readYamlTree } from './text/yaml-tree.ts'

/** The bounds of the folder of characters. */
export const characterBounds = { filesMax: 1_000, bytesMax: 262_144 }

const problemsMax = 50

export interface CharacterFile {
  readonly path: string
  readonly text: string
  readonly createdMs: number
  readonly changedMs: number
}

export interface LoadedCharacter extends CharacterSettings {
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/**
 * The characters that files describe, one each, in the files' order.
 * @throws ConfigError for the first file that describes none, or one whose slug another file has taken
 */
export function loadCharacters(files: readonly CharacterFile[]): readonly LoadedCharacter[] {
  const places = new Map<string, string>()
  return files.map(file => {
    const settings = readCharacter(file, ({ slug }) => {
      const first = places.get(slug)
      if (first === undefined) places.set(slug, file.path)
      return first === undefined ? [] : [{ path: ['slug'], message: `is taken by ${first}`, suggestion: null }]
    })
    return { ...settings, createdAtMs: file.createdMs, updatedAtMs: file.changedMs }
  })
}

function readCharacter(
  { path: fileName, text }: CharacterFile,
  judge: (settings: CharacterSettings) => readonly Finding[],
): CharacterSettings {
  const tree = readYamlTree(text)
  if (tree.faults.length > 0) {
    throw new ConfigError(
      fileName,
      tree.faults.map(fault => ({ ...fault, suggestion: null })),
    )
  }
  const result = characterSchema.safeParse(tree.value ?? {})
  const findings = result.success
    ? judge(result.data)
    : result.error.issues.flatMap(issue => describe(issue, tree.value))
  if (result.success && findings.length === 0) return result.data
  const problems = findings.map(finding => ({ ...finding, ...tree.locate(finding.path) }))
  throw new ConfigError(fileName, problems.slice(0, problemsMax))
}

type SchemaIssue = Parameters<typeof describeIssue>[0]

/** Keys of a character are other ones than those of rialto.yaml, in which the general description looks for near ones. */
function describe(issue: SchemaIssue, root: unknown): readonly Finding[] {
  if (issue.code !== 'unrecognized_keys') return describeIssue(issue, root)
  const path = issue.path.map(step => (typeof step === 'number' ? step : String(step)))
  const message = 'is not a known key of a character'
  return issue.keys.map(key => ({ path: [...path, key], message, suggestion: null }))
}
