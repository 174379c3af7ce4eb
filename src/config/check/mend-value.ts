import type { z } from 'zod'
import { type Path, pathKey, valueAt, withValueAt } from '../text/path.ts'
import { retype } from '../text/references.ts'

const sections = ['object', 'record', 'array']
const typedScalars = ['number', 'int', 'boolean']

/**
 * Puts right what a first check found and what is no mistake. A text that came from the environment as a whole stands for
 * a number or a boolean where one is wanted, and stays text where text is wanted: a key of nothing but digits is a key.
 * A section without content (`limits:` with every line below it switched off) is as good as absent.
 */
export function mendValue(
  root: unknown,
  issues: readonly z.core.$ZodIssue[],
  references: ReadonlyMap<string, string>,
): unknown {
  let value = root
  for (const issue of issues) {
    const path = issue.path.map(step => (typeof step === 'number' ? step : String(step)))
    if (wants(issue, sections) && valueAt(root, path) === null) value = withValueAt(value, path, undefined)
    if (issue.code === 'invalid_union' || wants(issue, typedScalars)) value = mendReference(value, path, references)
  }
  return value
}

function wants(issue: z.core.$ZodIssue, types: readonly string[]): boolean {
  return issue.code === 'invalid_type' && types.includes(issue.expected)
}

function mendReference(value: unknown, path: Path, references: ReadonlyMap<string, string>): unknown {
  const text = references.get(pathKey(path))
  const typed = text === undefined ? undefined : retype(text)
  return typed === undefined ? value : withValueAt(value, path, typed)
}
