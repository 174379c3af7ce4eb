import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { presetDeniedKeys } from '../../src/adapters/engines/engine-presets.ts'
import { createPrometheusMetrics } from '../../src/adapters/telemetry/prometheus-metrics.ts'
import { errorTable } from '../../src/core/gateway-error.ts'
import type { Model } from '../../src/core/model.ts'
import { formatUsd } from '../../src/core/money.ts'
import { encodeModel } from '../../src/dialects/venym/encode-models.ts'
import { loadDocsConfig } from './load-docs-config.ts'
import { codeSpans, type Page, type Table } from './markdown.ts'
import { pageNamed, root } from './pages.ts'

function tableOf(page: Page, firstHead: string): Table {
  const table = page.tables.find(({ head }) => head[0] === firstHead)
  if (table === undefined) throw new Error(`${page.name} has no table that begins with ${firstHead}`)
  return table
}

describe('docs/errors.md', () => {
  const rows = tableOf(pageNamed('errors'), 'Status').rows

  test('lists every code with its status and its type, and no other', () => {
    const documented = new Set(
      rows.map(([status = '', type = '', code = '']) =>
        [status.split(' ')[0], ...codeSpans(type), ...codeSpans(code)].join(' '),
      ),
    )
    const known = new Set(Object.entries(errorTable).map(([code, { status, type }]) => `${status} ${type} ${code}`))
    expect(documented).toEqual(known)
  })

  test('says for every code when it happens, whether to try again and what is charged', () => {
    for (const [, , code, when, again, charged] of rows) {
      expect(['no', 'yes', 'wait'], code).toContain(again)
      expect([when, charged], code).not.toContain('')
    }
  })
})

describe('docs/models.md', () => {
  test('shows the models of the example configuration as the gateway does', () => {
    const path = join(root, 'rialto.example.yaml')
    const { models } = loadDocsConfig(readFileSync(path, 'utf8'), path)
    const table = tableOf(pageNamed('models'), '')
    expect(table.head.slice(1).map(text => codeSpans(text)[0])).toEqual(models.map(({ id }) => id))
    for (const [index, model] of models.entries()) {
      const column = Object.fromEntries(table.rows.map(([name = '', ...cells]) => [name, cells[index]]))
      expect(column, model.id).toEqual(describeModel(model))
    }
  })

  test('shows the rates of the tiers that hold by default', () => {
    const { tiers } = loadDocsConfig('', 'empty').limits
    const shown = tableOf(pageNamed('models'), 'Tier').rows.map(([tier, requests, tokens]) => [
      tier,
      numberOf(requests),
      numberOf(tokens),
    ])
    expect(Object.values(tiers).map(rates => rates.requestsPerDay)).toEqual(Array(4).fill('unlimited'))
    const known = Object.entries(tiers).map(([tier, rates]) => [tier, rates.requestsPerMinute, rates.tokensPerMinute])
    expect(shown).toEqual(known)
  })
})

function describeModel(model: Model): Record<string, string> {
  const { prices } = model
  const { capabilities } = encodeModel(model) as { capabilities: string[] }
  return {
    Name: model.name,
    'Context, tokens': countText(model.contextTokens),
    'Longest answer, tokens': countText(model.maxOutputTokens),
    Input: priceText(prices.inputNanoPerMillion),
    'Output, reasoning included': priceText(prices.outputNanoPerMillion),
    'Cache read': priceText(prices.cacheReadNanoPerMillion),
    'Cache write': priceText(prices.cacheWriteNanoPerMillion),
    Capabilities: capabilities.map(name => `\`${name}\``).join(', '),
    'Choices (`n`) at most': String(model.maxChoices),
    'Rate tier': model.tier,
    Nodes: model.served.length === 1 ? '1' : `${model.served.length} (failover)`,
  }
}

function countText(count: number): string {
  return count.toLocaleString('en-US')
}

function numberOf(text: string | undefined): number {
  return Number((text ?? '').replaceAll(',', ''))
}

/** Dollars with cents. */
function priceText(nano: bigint): string {
  return Number(formatUsd(nano)).toFixed(2)
}

describe('docs/billing.md', () => {
  test('has a row for every outcome of the contract', () => {
    expect(tableOf(pageNamed('billing'), 'Outcome').rows.map(([outcome]) => outcome)).toEqual([
      'refused before dispatch (any 4xx of ours)',
      'failed on one node, answered by another',
      'every node failed, nothing delivered',
      'engine or gateway fails after the first token, and cannot be continued',
      'caller disconnects, or reads too slowly and is cut',
      'our deadline while the engine generates',
      'our drain cut it',
      'finished, no output tokens reported',
      '4xx by the engine',
      'content filter after output',
      'usage missing',
      'search',
      'scrape',
      'our process died',
    ])
  })
})

describe('docs/operating.md', () => {
  const page = pageNamed('operating')

  test('lists for each preset the keys that it removes', () => {
    const shown = tableOf(page, 'Preset').rows
    const table = page.tables.find(({ head }) => head[1] === 'Removed keys')
    const removed = Object.fromEntries(
      (table?.rows ?? []).map(([preset = '', keys = '']) => [codeSpans(preset)[0], codeSpans(keys)]),
    )
    expect(removed).toEqual(
      Object.fromEntries(Object.entries(presetDeniedKeys).map(([preset, keys]) => [preset, [...keys]])),
    )
    expect(new Set(shown.flatMap(([preset = '']) => codeSpans(preset)))).toEqual(new Set(Object.keys(presetDeniedKeys)))
  })

  test('names every metric of the gateway, and none that is not on the page', async () => {
    const { text } = await createPrometheusMetrics(() => []).page()
    const known = [...text.matchAll(/^# TYPE (\w+)/gm)].map(match => match[1] ?? '')
    const ours = known.filter(name => !/^rialto_(process|nodejs)_/.test(name))
    const shown = tableOf(page, 'Metric').rows.flatMap(([name = '']) => codeSpans(name))
    expect(new Set(shown)).toEqual(new Set(ours))
    const mentioned = readFileSync(page.path, 'utf8').match(/\brialto_[a-z0-9_]+/g) ?? []
    expect(mentioned.filter(name => !known.includes(name))).toEqual([])
  })

  test('lists every event that an operator should know of, and none that is not there', () => {
    const events = loggedEvents()
    const rows = tableOf(page, 'Event').rows
    const shown = rows.flatMap(([names = '']) => codeSpans(names)).filter(name => !name.endsWith('.*'))
    const families = rows
      .flatMap(([names = '']) => codeSpans(names))
      .flatMap(name => (name.endsWith('.*') ? name.slice(0, -1) : []))
    expect(shown.filter(name => !events.has(name))).toEqual([])
    const undocumented = [...events].filter(
      name => !shown.includes(name) && !families.some(family => name.startsWith(family)),
    )
    expect(undocumented).toEqual([])
  })

  test('lists the variables of the environment that the gateway reads', () => {
    const source = readFileSync(join(root, 'src/config/env.ts'), 'utf8')
    const shown = tableOf(page, 'Variable').rows.flatMap(([names = '']) => codeSpans(names))
    expect(shown.filter(name => !source.includes(`'${name}'`))).toEqual([])
  })

  test('shows the defaults of the settings of an engine', () => {
    const { engines } = loadDocsConfig('engines: [{ id: a, baseUrl: "http://h/v1" }]', 'defaults')
    const shown = Object.fromEntries(
      tableOf(page, 'Key').rows.map(([key = '', value = '']) => [codeSpans(key)[0], value]),
    )
    const engine = engines[0] as unknown as Record<string, unknown> & { timeouts: Record<string, number> }
    const limits = Object.entries(engine.timeouts).map(([name, ms]) => [`timeouts.${name}`, countText(ms)] as const)
    expect(shown).toMatchObject({
      ...Object.fromEntries(limits),
      maxConcurrency: String(engine['maxConcurrency']),
      maxTokensField: `\`${engine['maxTokensField']}\``,
      onDisconnect: `\`${engine['onDisconnect']}\``,
    })
  })
})

/** The events that the code logs for operators: all but those of the level `debug`. */
function loggedEvents(): Set<string> {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const sources = files.filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return new Set(
    sources.flatMap(name =>
      [...readFileSync(join(root, 'src', name), 'utf8').matchAll(/\.(?:info|warn|error)\(\s*'([a-z]+\.[a-z_]+)'/g)].map(
        match => match[1] ?? '',
      ),
    ),
  )
}
