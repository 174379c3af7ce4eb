import { parseArgs } from 'node:util'
import type { ArgDef, ArgsDef } from 'citty'
import { suggest } from '../lib/edit-distance.ts'
import { UsageError } from './command-error.ts'

type Token = Exclude<ReturnType<typeof tokenize>[number], { kind: 'option-terminator' }>

/**
 * Holds a command line against what the command knows, strictly: a misspelt option must never be ignored where money is
 * concerned.
 * @throws UsageError that names the option or argument and, where one is near, what was probably meant
 */
export function checkArguments(words: readonly string[], known: ArgsDef): void {
  const given = new Set<string>()
  const positionals: string[] = []
  for (const token of tokenize(words, known)) {
    if (token.kind === 'positional') positionals.push(token.value)
    else if (token.kind === 'option') checkOption(token, known, given)
  }
  checkPositionals(positionals, known)
  for (const [name, definition] of Object.entries(known)) {
    const isMissing = definition.required === true && definition.type !== 'positional' && !given.has(name)
    if (isMissing) throw new UsageError(`--${name} is missing.`)
  }
}

function tokenize(words: readonly string[], known: ArgsDef) {
  const options = Object.entries(known)
    .filter(([, { type }]) => type !== 'positional')
    .map(([name, { type }]) => [name, { type: type === 'boolean' ? ('boolean' as const) : ('string' as const) }])
  const settings = { args: [...words], strict: false, allowPositionals: true, tokens: true } as const
  return parseArgs({ ...settings, options: Object.fromEntries(options) }).tokens
}

function checkOption(token: Extract<Token, { kind: 'option' }>, known: ArgsDef, given: Set<string>): void {
  const isNegated = token.name.startsWith('no-') && known[token.name.slice(3)]?.type === 'boolean'
  const name = isNegated ? token.name.slice(3) : token.name
  const definition = known[name]
  if (definition === undefined || definition.type === 'positional') throw unknownOption(token.rawName, known)
  if (given.has(name)) throw new UsageError(`--${name} is given twice.`)
  given.add(name)
  if (definition.type === 'boolean') {
    if (token.value !== undefined) throw new UsageError(`--${name} takes no value.`)
  } else checkValue(name, definition, token)
}

function checkValue(name: string, definition: ArgDef, token: Extract<Token, { kind: 'option' }>): void {
  const { value, inlineValue } = token
  const isNextOption = inlineValue !== true && value?.startsWith('-') === true
  if (value === undefined || value === '' || isNextOption) throw new UsageError(`--${name} needs a value.`)
  if (definition.type === 'enum' && definition.options?.includes(value) === false) {
    throw new UsageError(`--${name} must be one of ${definition.options.join(', ')}.`)
  }
}

function unknownOption(rawName: string, known: ArgsDef): UsageError {
  const names = Object.keys(known).filter(name => known[name]?.type !== 'positional')
  const meant = suggest(rawName.replace(/^-+/, ''), names)
  return new UsageError(`unknown option ${rawName}${meant === null ? '' : `; did you mean --${meant}?`}`)
}

function checkPositionals(values: readonly string[], known: ArgsDef): void {
  const places = Object.entries(known).filter(([, { type }]) => type === 'positional')
  const missing = places[values.length]
  if (missing !== undefined && missing[1].required !== false) {
    throw new UsageError(`${missing[0].toUpperCase()} is missing.`)
  }
  // The last place takes everything that is left where its hint says so.
  if (places.at(-1)?.[1].valueHint === '…') return
  const extra = values[places.length]
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}".`)
}
