import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readText, readYaml, root } from './deploy-files.ts'

/** What can be said of the chart without Helm. `chart.test.ts` renders it. */
const chart = 'deploy/helm/rialto'

type Values = { readonly [key: string]: Values | unknown }

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: unknown
}

const values = readYaml<Values>(`${chart}/values.yaml`)
const schema = JSON.parse(readText(`${chart}/values.schema.json`)) as Schema
const templates = readdirSync(join(root, chart, 'templates')).map(
  name => [name, readText(`${chart}/templates/${name}`)] as const,
)

/** Values whose members are the operator's own: Kubernetes' or the gateway's words, not the chart's. */
const freeForm = ['config', 'resources', 'affinity', 'nodeSelector', 'podAnnotations', 'podLabels']

describe('the chart', () => {
  test('has the version of the gateway as its appVersion', () => {
    const { version } = JSON.parse(readText('package.json')) as { version: string }
    expect(readYaml(`${chart}/Chart.yaml`)).toMatchObject({ name: 'rialto', appVersion: version })
  })

  test('has a schema that names every value, and no other', () => {
    const described = leavesOf(schema.properties, ({ properties }) => properties)
    expect(described.filter(path => path !== 'global').sort()).toEqual(leavesOfValues(values).sort())
  })

  test('has a schema that takes no value by another name', () => {
    expect(openObjects(schema, '')).toEqual([])
  })

  test('uses every value, and no other', () => {
    const text = templates.map(([, content]) => content).join('\n')
    const used = new Set([...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path))
    const known = leavesOfValues(values)
    const isKnown = (path: string) => known.includes(path) || freeForm.includes(path.split('.')[0] ?? '')
    expect([...used].filter(path => !isKnown(path))).toEqual([])
    expect(known.filter(path => !used.has(path))).toEqual([])
  })

  test.each(templates)('closes in %s whatever it opens', (_, text) => {
    const actions = [...text.matchAll(/\{\{-?\s*(\w+)/g)].map(([, word]) => word ?? '')
    const opened = actions.filter(word => ['if', 'range', 'with', 'define', 'block'].includes(word))
    expect(actions.filter(word => word === 'end')).toHaveLength(opened.length)
    expect(text.split('{{')).toHaveLength(text.split('}}').length)
  })
})

function leavesOfValues(tree: Values): string[] {
  return leavesOf(tree, value =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : undefined,
  )
}

/** The paths of what has no members of its own that the chart names. */
function leavesOf<Node>(
  tree: Readonly<Record<string, Node>> = {},
  membersOf: (node: Node) => Readonly<Record<string, Node>> | undefined,
  prefix = '',
): string[] {
  return Object.entries(tree).flatMap(([name, node]) => {
    const path = prefix + name
    const members = freeForm.includes(path) || name === 'annotations' ? undefined : membersOf(node)
    return members === undefined || Object.keys(members).length === 0
      ? [path]
      : leavesOf(members, membersOf, `${path}.`)
  })
}

function openObjects({ properties, additionalProperties }: Schema, path: string): string[] {
  if (properties === undefined) return []
  const inner = Object.entries(properties).flatMap(([name, child]) => openObjects(child, `${path}.${name}`))
  return additionalProperties === false ? inner : [path, ...inner]
}
