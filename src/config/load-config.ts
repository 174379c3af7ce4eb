import { checkReferences } from './check/check-references.ts'
import { ConfigError, type ConfigProblem } from './check/config-error.ts'
import { describeIssue, type Finding } from './check/describe-issue.ts'
import { mendValue } from './check/mend-value.ts'
import type { Config } from './config.ts'
import { type ConfigContext, createConfig } from './create-config.ts'
import { type Settings, settingsSchema } from './schema.ts'
import { pathKey } from './text/path.ts'
import { type Lookup, resolveReferences } from './text/references.ts'
import { readYamlTree } from './text/yaml-tree.ts'

export interface ConfigSource {
  /** As messages name it. */
  readonly fileName: string
  readonly lookup: Lookup
}

/** What is longer is not a configuration that people wrote. */
export const configBytesMax = 1_048_576
const problemsMax = 50

/**
 * Reads the text of a rialto.yaml (operator.md §3). The empty text is the configuration that has every default.
 * @throws ConfigError with all problems at once, each with its path, place and, where one is near, a suggestion.
 */
export function loadConfig(text: string, source: ConfigSource & ConfigContext): Config {
  return createConfig(readSettings(text, source), source)
}

/** The first half of loadConfig: what the file says, checked and completed, in its own terms. @throws ConfigError */
function readSettings(text: string, { fileName, lookup }: ConfigSource): Settings {
  if (Buffer.byteLength(text) > configBytesMax) throw tooLong(fileName)
  const tree = readYamlTree(text)
  const resolved = resolveReferences(tree.value ?? {}, lookup)
  const faults: Finding[] = resolved.faults.map(fault => ({ ...fault, suggestion: null }))
  const { settings, findings } = judge(resolved.value, resolved.references)
  const placed = firstOfEachPath([...faults, ...findings], tree.faults).map(
    (finding): ConfigProblem => ({ ...finding, ...tree.locate(finding.path) }),
  )
  const problems = [...tree.faults.map(fault => ({ ...fault, suggestion: null })), ...placed]
  if (settings === null || problems.length > 0) throw new ConfigError(fileName, inOrder(problems))
  return settings
}

interface Judgement {
  readonly settings: Settings | null
  readonly findings: readonly Finding[]
}

function judge(root: unknown, references: ReadonlyMap<string, string>): Judgement {
  const first = settingsSchema.safeParse(root)
  const value = first.success ? root : mendValue(root, first.error.issues, references)
  const result = first.success ? first : settingsSchema.safeParse(value)
  const findings = result.success ? [] : result.error.issues.flatMap(issue => describeIssue(issue, value))
  return { settings: result.data ?? null, findings: [...findings, ...checkReferences(value)] }
}

/** Several things may be wrong with one value; the first one is the cause. What YAML found faulty is not judged again. */
function firstOfEachPath(
  findings: readonly Finding[],
  faulty: readonly { readonly path: ConfigProblem['path'] }[],
): readonly Finding[] {
  const seen = new Set(faulty.map(({ path }) => pathKey(path)))
  return findings.filter(({ path }) => {
    const key = pathKey(path)
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

function inOrder(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column).slice(0, problemsMax)
}

function tooLong(fileName: string): ConfigError {
  const message = `is longer than ${configBytesMax} bytes`
  return new ConfigError(fileName, [{ path: [], line: 1, column: 1, message, suggestion: null }])
}
