import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { loadConfig } from '../load-config.ts'
import { exampleSettings } from './example-settings.ts'
import { renderJsonSchema } from './json-schema.ts'
import { renderSettings } from './render-settings.ts'

/** The two files in the repository are output of the definition; `npx vitest run src/config/publish --update` writes them anew. */
const exampleFile = new URL('../../../rialto.example.yaml', import.meta.url)
const schemaFile = new URL('../../../docs/rialto.schema.json', import.meta.url)
const source = {
  fileName: 'rialto.example.yaml',
  lookup: () => undefined,
  folder: '/etc/rialto',
  dataFolder: '/data',
  adminToken: null,
  createdSeconds: 0,
}

test('rialto.example.yaml is what rialto init writes', async () => {
  await expect(renderSettings(exampleSettings)).toMatchFileSnapshot(exampleFile.pathname)
})

test('docs/rialto.schema.json is the JSON Schema of the definition', async () => {
  await expect(renderJsonSchema()).toMatchFileSnapshot(schemaFile.pathname)
})

test('rialto.example.yaml is valid, and offers the two models', () => {
  const config = loadConfig(readFileSync(exampleFile, 'utf8'), source)
  expect(config.models.map(({ id }) => id)).toEqual(['venym/qwen-27b', 'venym/glm-flash'])
  expect(config.models.every(({ prices }) => prices.inputNanoPerMillion > 0n && prices.outputNanoPerMillion > 0n)).toBe(
    true,
  )
  expect(config.models[0]?.served).toHaveLength(2)
})

test('rialto.example.yaml says nothing but the defaults beside its engines and models', () => {
  const config = loadConfig(readFileSync(exampleFile, 'utf8'), source)
  const { engines, models, ...rest } = loadConfig('', source)
  expect(config).toMatchObject(rest)
  expect({ engines, models }).toEqual({ engines: [], models: [] })
})

test('every key that is switched off in rialto.example.yaml is valid when it is switched on', () => {
  const text = readFileSync(exampleFile, 'utf8')
  const switchedOn = text.replace(/^(\s*)#(?! \S)/gm, '$1')
  expect(switchedOn.split('\n').length).toBe(text.split('\n').length)
  expect(switchedOn).not.toBe(text)
  const config = loadConfig(switchedOn, source)
  expect(config.search.order).toMatchObject([{ name: 'searxng' }, { name: 'embedded' }])
  expect(config.store).toEqual({ kind: 'sqlite', path: '/etc/rialto/data/rialto.db' })
})

test('rialto.example.yaml names every key of the definition', () => {
  const text = readFileSync(exampleFile, 'utf8')
  const missing = keysOf(parseJson(renderJsonSchema())).filter(key => !new RegExp(`\\b${key}\\??:`).test(text))
  // A list without entries shows no keys of an entry, and null stands for a whole section.
  expect(missing).toEqual([
    'rpcUrl',
    'contract',
    'minimumUnits',
    'date',
    'successor',
    'autoRemap',
    'tilePx',
    'tokensPerTile',
    'baseTokens',
    'maxTokens',
    'asset',
    'assetName',
    'assetVersion',
    'decimals',
  ])
})

/** All names of properties in a schema, each once, in order. */
function keysOf(node: unknown): readonly string[] {
  if (Array.isArray(node)) return [...new Set(node.flatMap(keysOf))]
  if (typeof node !== 'object' || node === null) return []
  const own = 'properties' in node ? Object.keys(Object(node.properties)) : []
  return [
    ...new Set([
      ...own,
      ...Object.entries(node).flatMap(([key, value]) => (key === 'definitions' ? [] : keysOf(value))),
    ]),
  ]
}

/** Judges with another implementation of JSON Schema than the one that made it. */
async function judge(value: unknown): Promise<string> {
  const schema = parseJson(renderJsonSchema())
  if (!isJsonObject(schema)) throw new TypeError('the schema must be an object')
  const app = Fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } } })
  app.post('/', { schema: { body: schema } }, async () => 'accepted')
  const answer = await app.inject({ method: 'POST', url: '/', payload: Object(value) })
  await app.close()
  return answer.statusCode === 200 ? answer.body : answer.json().message
}

test('the JSON Schema accepts rialto.example.yaml, also with everything switched on', async () => {
  const text = readFileSync(exampleFile, 'utf8')
  expect(await judge(parse(text))).toBe('accepted')
  expect(await judge(parse(text.replace(/^(\s*)#(?! \S)/gm, '$1')))).toBe('accepted')
})

test('the JSON Schema accepts references to the environment where numbers, booleans and names are wanted', async () => {
  const value = {
    server: { port: '${PORT:-8402}' },
    accounts: { selfService: '${YES}' },
    limits: { concurrencyPerAccount: '${LIMIT}', overdraftUsd: '${USD}' },
    engines: [{ id: '${ID}', kind: '${KIND}', baseUrl: '${URL}', maxConcurrency: 'unlimited' }],
  }
  expect(await judge(value)).toBe('accepted')
})

test.each([
  ['an unknown key', { server: { prot: 1 } }],
  ['a wrong type', { server: { port: 'x' } }],
  ['a negative limit', { limits: { concurrencyPerAccount: -1 } }],
  ['a word that is no choice', { billing: { billPartial: 'some' } }],
  ['a missing key', { engines: [{ kind: 'openai' }] }],
])('the JSON Schema refuses %s', async (_, value) => {
  expect(await judge(value)).not.toBe('accepted')
})
