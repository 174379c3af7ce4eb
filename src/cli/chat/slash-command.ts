import { suggest } from '../../lib/edit-distance.ts'

/** Those that take something after them, so that the tab key leaves a space. */
const takesMore: readonly string[] = ['model', 'system', 'save']

/** What can be typed instead of a message, and what it does. */
export const slashCommands = {
  help: 'show this',
  model: 'show the models, or go on with another one: /model ID',
  system: 'show the system prompt, or set it: /system TEXT (/system none takes it away)',
  clear: 'forget what was said; the totals stay',
  save: 'write the conversation to a new file: /save FILE',
  exit: 'leave (Ctrl-D does it too)',
} as const

type SlashName = keyof typeof slashCommands

export type SlashCommand =
  | { readonly name: SlashName; readonly rest: string }
  | { readonly name: null; readonly word: string; readonly meant: string | null }

/** The command in a line; null for a message. A message that begins with a slash is typed with a space before it. */
export function parseSlashCommand(line: string): SlashCommand | null {
  const match = /^\/(\S*)\s*([\s\S]*)$/.exec(line)
  if (match === null) return null
  const [, word = '', rest = ''] = match
  const names = Object.keys(slashCommands) as SlashName[]
  const name = word === 'quit' ? 'exit' : names.find(known => known === word)
  if (name !== undefined) return { name, rest: rest.trim() }
  return { name: null, word, meant: suggest(word, names) }
}

/** Completions of a half-typed line in the form that readline wants: what fits, and the part that it replaces. */
export function completeLine(line: string, models: readonly string[]): [string[], string] {
  const model = /^\/model\s+(\S*)$/.exec(line)
  if (model !== null) return [models.filter(id => id.startsWith(model[1] ?? '')), model[1] ?? '']
  if (!/^\/\S*$/.test(line)) return [[], line]
  return [
    Object.keys(slashCommands)
      .map(name => (takesMore.includes(name) ? `/${name} ` : `/${name}`))
      .filter(name => name.startsWith(line)),
    line,
  ]
}
