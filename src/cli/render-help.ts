import type { ArgDef, ArgsDef } from 'citty'
import { renderTable } from './render-table.ts'

export interface HelpSubject {
  /** The words that lead to the command: `rialto account create`. */
  readonly path: readonly string[]
  readonly description: string
  readonly args: ArgsDef
  /** Names and descriptions of what can follow; empty for a command that does something itself. */
  readonly commands: readonly (readonly [string, string])[]
}

/** What `--help` prints. */
export function renderHelp({ path, description, args, commands }: HelpSubject): string {
  const name = path.join(' ')
  const positionals = Object.entries(args).filter(([, { type }]) => type === 'positional')
  const options = Object.entries(args).filter(([, { type }]) => type !== 'positional')
  const usage = commands.length > 0 ? [name, '<command>'] : [name, ...positionals.map(usageOf), ...requiredOf(options)]
  const optionRows = options.flatMap(([option, definition]) => optionRow(option, definition))
  const sections = [
    description,
    `Usage: ${[...usage, ...(options.length > 0 ? ['[options]'] : [])].join(' ')}`,
    section('Commands', commands),
    section('Arguments', positionals.map(argumentRow)),
    section('Options', [...optionRows, ['--help', 'show this']]),
    ...(commands.length > 0 ? [`${name} <command> --help says more about one of them.`] : []),
  ]
  return sections.filter(text => text !== '').join('\n\n')
}

type Row = readonly [string, string]

function section(title: string, rows: readonly Row[]): string {
  return rows.length === 0 ? '' : `${title}:\n${renderTable(rows, { indent: '  ' })}`
}

function usageOf([name, { required }]: readonly [string, ArgDef]): string {
  return required === false ? `[${name.toUpperCase()}]` : name.toUpperCase()
}

function requiredOf(options: readonly (readonly [string, ArgDef])[]): string[] {
  return options.filter(([, { required }]) => required === true).map(([name, option]) => signature(name, option))
}

function argumentRow([name, { description }]: readonly [string, ArgDef]): Row {
  return [name.toUpperCase(), description ?? '']
}

function optionRow(name: string, option: ArgDef): readonly Row[] {
  return [[signature(name, option), option.description ?? '']]
}

function signature(name: string, option: ArgDef): string {
  if (option.type === 'boolean') return `--${name}`
  if (option.type === 'enum') return `--${name} ${option.options?.join('|')}`
  return `--${name} ${option.valueHint ?? name.toUpperCase()}`
}
