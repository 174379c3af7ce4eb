import { stringify } from 'yaml'
import type { SettingsInput } from '../schema.ts'
import { type SchemaNode, settingsNode } from './json-schema.ts'

const lineWidth = 120
const commentColumn = 36

const preamble = [
  '# yaml-language-server: $schema=docs/rialto.schema.json',
  '# Changes take effect when this file is saved, unless a comment says otherwise; a file with a mistake is refused whole.',
  '# ${NAME} and ${NAME:-default} read the environment. For every limit 0 means zero, and unlimited is written out.',
  '# A line that begins with # and no space is a key that is switched off.',
]

interface Style {
  readonly indent: string
  /** Whether keys without a value appear, and every key is explained. Off for later entries of a list. */
  readonly full: boolean
}

type Properties = Readonly<Record<string, SchemaNode>>

/**
 * Writes a commented rialto.yaml that says what `values` say. Every key of the definition appears with its description:
 * without a value it shows its default, and a key that has none either is switched off (`#key`).
 */
export function renderSettings(values: SettingsInput): string {
  const sections = Object.entries(settingsNode.properties ?? {}).map(([key, node]) =>
    renderKey(key, node, Reflect.get(values, key), { indent: '', full: true }).join('\n'),
  )
  return `${[preamble.join('\n'), ...sections].join('\n\n')}\n`
}

function renderKey(key: string, node: SchemaNode, value: unknown, style: Style): readonly string[] {
  if (value === undefined && !style.full) return []
  const { indent, full } = style
  const shown = value ?? node.default
  const entry =
    shown === undefined
      ? renderEntry(key, node, node.examples?.[0], { indent: '', full }).map(line => `${indent}#${line}`)
      : renderEntry(key, node, shown, style)
  return full ? explain(entry, node.description ?? '', indent) : entry
}

function renderEntry(key: string, node: SchemaNode, value: unknown, style: Style): readonly string[] {
  const { indent, full } = style
  const inner = { indent: `${indent}  `, full }
  const properties = propertiesOf(node)
  if (properties !== undefined && value !== null) return [`${indent}${key}:`, ...renderObject(properties, value, inner)]
  const itemProperties = node.items === undefined ? undefined : propertiesOf(node.items)
  if (itemProperties !== undefined && Array.isArray(value) && value.length > 0) {
    return [`${indent}${key}:`, ...value.flatMap((item, index) => renderItem(itemProperties, item, index, inner))]
  }
  return [`${indent}${key}: ${renderValue(value)}`]
}

/** The keys of an object, also of one that may be null. */
function propertiesOf(node: SchemaNode): Properties | undefined {
  return node.properties ?? node.anyOf?.find(option => option.properties !== undefined)?.properties
}

function renderObject(properties: Properties, value: unknown, style: Style): readonly string[] {
  return Object.entries(properties).flatMap(([key, node]) =>
    renderKey(key, node, Reflect.get(Object(value), key), style),
  )
}

/** An entry of a list: the first one explains its keys, the others only say what they say. */
function renderItem(properties: Properties, item: unknown, index: number, style: Style): readonly string[] {
  const { indent } = style
  const lines = renderObject(properties, item, { indent: `${indent}  `, full: style.full && index === 0 })
  const first = lines.findIndex(line => !line.trimStart().startsWith('#'))
  return lines.map((line, at) => {
    if (at > first) return line
    return `${indent}${at === first ? '- ' : ''}${line.slice(indent.length + 2)}`
  })
}

/** A scalar, or a list or record on one line. The text ends with a line break, and spaces before it belong to the value. */
function renderValue(value: unknown): string {
  const options = { lineWidth: 0, blockQuote: false, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER } as const
  const isCollection = typeof value === 'object' && value !== null
  if (isCollection) return stringify(value, { ...options, collectionStyle: 'flow' }).slice(0, -1)
  return stringify({ key: value }, options).slice('key: '.length, -1)
}

/** Puts a description beside the entry where it fits, else above it. */
function explain(entry: readonly string[], description: string, indent: string): readonly string[] {
  const [line = '', ...rest] = entry
  const beside = `${line.padEnd(commentColumn)}  # ${description}`
  if (description === '') return entry
  if (beside.length <= lineWidth && rest.length === 0) return [beside]
  return [...wrap(description, lineWidth - indent.length - 2).map(text => `${indent}# ${text}`), ...entry]
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
