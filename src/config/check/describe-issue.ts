import type { z } from 'zod'
import { suggest } from '../../lib/edit-distance.ts'
import { keysAt } from '../publish/json-schema.ts'
import { type Path, valueAt } from '../text/path.ts'

/** A problem whose place in the file is not known yet. */
export interface Finding {
  readonly path: Path
  readonly message: string
  readonly suggestion: string | null
}

const nouns: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a section with keys',
  record: 'a section with keys',
  array: 'a list',
}

/** Says in an operator's words what a check found wrong with a value. */
export function describeIssue(issue: z.core.$ZodIssue, root: unknown): readonly Finding[] {
  const path = issue.path.map(step => (typeof step === 'number' ? step : String(step)))
  const value = valueAt(root, path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => describeUnknownKey(key, path))
  }
  if (value === undefined) return [finding(path, 'is missing')]
  if (value === null) return [finding(path, 'has no value')]
  if (issue.code === 'invalid_type') return [finding(path, describeType(issue, value))]
  if (issue.code === 'invalid_value') {
    const choices = issue.values.map(String)
    const suggestion = typeof value === 'string' ? suggest(value, choices) : null
    return [{ path, message: `must be ${listOf(choices)}`, suggestion }]
  }
  return [finding(path, issue.code === 'invalid_key' ? 'has a key with signs that are not allowed' : issue.message)]
}

function finding(path: Path, message: string): Finding {
  return { path, message, suggestion: null }
}

function describeType(issue: z.core.$ZodIssueInvalidType, value: unknown): string {
  if (!issue.message.startsWith('Invalid input')) return issue.message
  const hint = issue.expected === 'string' && typeof value !== 'object' ? ': put it in quotes' : ''
  return `must be ${nouns[issue.expected] ?? issue.expected}${hint}`
}

function listOf(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

const keysListedMax = 12

function describeUnknownKey(key: string, path: Path): Finding {
  const known = keysAt(path)
  const suggestion = suggest(key, known) ?? findSwapped(key, known) ?? (path.length === 0 ? findInSections(key) : null)
  const isListed = suggestion === null && known.length > 0 && known.length <= keysListedMax
  const message = `is not a known key${isListed ? `; here are ${known.join(', ')}` : ''}`
  return { path: [...path, key], message, suggestion }
}

/** A key with the same letters in another order: the commonest slip in short words, which differ in two places then. */
function findSwapped(key: string, known: readonly string[]): string | null {
  const letters = (word: string): string => [...word.toLowerCase()].sort().join('')
  return known.find(name => letters(name) === letters(key)) ?? null
}

/** The section that has a key of this name, for a key that stands outside it. */
function findInSections(key: string): string | null {
  const section = keysAt([]).find(name => keysAt([name]).includes(key))
  return section === undefined ? null : `${section}.${key}`
}
