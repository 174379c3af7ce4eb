import type { ArgsDef, CommandDef, Resolvable } from 'citty'
import { suggest } from '../lib/edit-distance.ts'
import { UsageError } from './command-error.ts'
import type { HelpSubject } from './render-help.ts'

export interface FoundCommand {
  readonly command: CommandDef
  /** The words that lead to it: `rialto account create`. */
  readonly path: readonly string[]
  /** What follows them. */
  readonly words: readonly string[]
  /** What can follow it; empty for a command that does something itself. */
  readonly subCommands: Readonly<Record<string, CommandDef>>
}

/**
 * Follows the words down the tree of commands. Stops at the command that does something, or where the words end.
 * @throws UsageError for a word that is no command, with what was probably meant
 */
export async function findCommand(root: CommandDef, words: readonly string[]): Promise<FoundCommand> {
  let found: FoundCommand = { command: root, path: ['rialto'], words, subCommands: await subCommandsOf(root) }
  while (Object.keys(found.subCommands).length > 0) {
    const [name, ...rest] = found.words
    if (name === undefined || name.startsWith('-')) return found
    const command = found.subCommands[name]
    if (command === undefined) throw unknownCommand(name, found)
    found = { command, path: [...found.path, name], words: rest, subCommands: await subCommandsOf(command) }
  }
  return found
}

function unknownCommand(name: string, { path, subCommands }: FoundCommand): UsageError {
  const parent = path.slice(1).join(' ')
  const named = (word: string): string => (parent === '' ? word : `${parent} ${word}`)
  const meant = suggest(name, Object.keys(subCommands))
  const hint = meant === null ? `${path.join(' ')} --help lists what there is.` : `did you mean "${named(meant)}"?`
  return new UsageError(`unknown command "${named(name)}"; ${hint}`)
}

async function subCommandsOf(command: CommandDef): Promise<Record<string, CommandDef>> {
  const entries = Object.entries((await resolveOf(command.subCommands)) ?? {})
  return Object.fromEntries(
    await Promise.all(entries.map(async ([name, sub]): Promise<[string, CommandDef]> => [name, await resolveOf(sub)])),
  )
}

/** What `--help` tells of a command. */
export async function describeCommand({ command, path, subCommands }: FoundCommand): Promise<HelpSubject> {
  const commands = await Promise.all(
    Object.entries(subCommands).map(async ([name, sub]) => [name, await descriptionOf(sub)] as const),
  )
  return { path, description: await descriptionOf(command), args: await argumentsOf(command), commands }
}

export async function argumentsOf(command: CommandDef): Promise<ArgsDef> {
  return (await resolveOf(command.args)) ?? {}
}

async function descriptionOf(command: CommandDef): Promise<string> {
  return (await resolveOf(command.meta))?.description ?? ''
}

async function resolveOf<Value>(value: Resolvable<Value>): Promise<Value> {
  return typeof value === 'function' ? (value as () => Value | Promise<Value>)() : value
}
