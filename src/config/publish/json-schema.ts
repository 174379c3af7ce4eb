import { z } from 'zod'
import { settingsSchema } from '../schema.ts'
import type { Path } from '../text/path.ts'

/** The parts of JSON Schema that describe rialto.yaml. */
export interface SchemaNode {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode | boolean
  readonly items?: SchemaNode
  readonly anyOf?: readonly SchemaNode[]
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly format?: string
  readonly const?: unknown
  readonly allOf?: readonly SchemaNode[]
  readonly $ref?: string
}

/** rialto.yaml as plain data: what its keys are called, what they are for, and their defaults. */
export const settingsNode = z.toJSONSchema(settingsSchema, { io: 'input', target: 'draft-7' }) as SchemaNode

const reference: SchemaNode = { $ref: '#/definitions/reference' }

/** The JSON Schema (draft 7) that editors use, as the text of `docs/rialto.schema.json`. */
export function renderJsonSchema(): string {
  const schema = {
    ...settingsNode,
    title: 'rialto.yaml',
    description: 'The configuration of a Rialto gateway.',
    properties: allowReferencesIn(settingsNode.properties),
    definitions: {
      reference: {
        description: 'The value of an environment variable: ${NAME}, or ${NAME:-default}.',
        type: 'string',
        pattern: '\\$\\{[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\\}',
      },
    },
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}

function allowReferencesIn(properties: Readonly<Record<string, SchemaNode>> = {}): Record<string, SchemaNode> {
  return Object.fromEntries(Object.entries(properties).map(([key, node]) => [key, allowReferences(node)]))
}

/** Numbers, booleans and texts of a fixed form may be given as a reference to an environment variable instead. */
function allowReferences(node: SchemaNode): SchemaNode {
  if (node.properties !== undefined) return { ...node, properties: allowReferencesIn(node.properties) }
  if (node.items !== undefined) return { ...node, items: allowReferences(node.items) }
  if (typeof node.additionalProperties === 'object') {
    return { ...node, additionalProperties: allowReferences(node.additionalProperties) }
  }
  if (node.anyOf?.some(option => option.properties !== undefined)) {
    return { ...node, anyOf: node.anyOf.map(allowReferences) }
  }
  if (node.anyOf !== undefined) return { ...node, anyOf: [...node.anyOf, reference] }
  if (node.type === 'null' || isFreeText(node)) return node
  const { description, default: standard, examples, ...rest } = node
  return {
    ...(description === undefined ? {} : { description }),
    ...(standard === undefined ? {} : { default: standard }),
    ...(examples === undefined ? {} : { examples }),
    anyOf: [rest, reference],
  }
}

function isFreeText({ type, pattern, allOf, format, enum: choices, const: only }: SchemaNode): boolean {
  return type === 'string' && [pattern, allOf, format, choices, only].every(rule => rule === undefined)
}

/** The keys that may stand at a path; empty where any key, or none, may. */
export function keysAt(path: Path): readonly string[] {
  let node: SchemaNode | undefined = settingsNode
  for (const step of path) node = node === undefined ? undefined : childOf(node, step)
  return Object.keys(objectOf(node)?.properties ?? {})
}

function childOf(node: SchemaNode, step: string | number): SchemaNode | undefined {
  if (typeof step === 'number') return node.items
  const object = objectOf(node)
  const open = typeof object?.additionalProperties === 'object' ? object.additionalProperties : undefined
  return object?.properties?.[step] ?? open
}

/** The object among a node's alternatives: `null` is the usual other one. */
function objectOf(node: SchemaNode | undefined): SchemaNode | undefined {
  return node?.anyOf?.find(option => option.type === 'object') ?? node
}
