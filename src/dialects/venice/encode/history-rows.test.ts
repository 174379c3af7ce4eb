import { expect, test } from 'vitest'
import { noUsage } from '../../../core/usage.ts'
import { historyCsv } from './encode-history.ts'
import { type ChargeFacts, historyRows } from './history-rows.ts'

const prices = {
  version: 'v',
  inputNanoPerMillion: 1n,
  outputNanoPerMillion: 2n,
  cacheReadNanoPerMillion: 3n,
  cacheWriteNanoPerMillion: 4n,
  searchNano: 5n,
  pageNano: 5n,
}

const request = {
  generationId: 'chatcmpl-1',
  model: 'demo',
  usage: { ...noUsage, promptTokens: 3 },
  totalMs: 9,
  prices,
  isShared: false,
  lines: [
    { kind: 'input', quantity: 1, amountNano: 10n },
    { kind: 'cache_read', quantity: 2, amountNano: 20n },
    { kind: 'cache_write', quantity: 3, amountNano: 30n },
    { kind: 'output', quantity: 4_000_000, amountNano: 40n },
    { kind: 'search', quantity: 2, amountNano: 50n },
  ],
} as const

function rowsOf(change: Partial<ChargeFacts>) {
  const rows = historyRows({ place: { atMs: 0 }, currency: 'usd', amountNano: -150n, request, ...change })
  return rows.map(({ sku, unitsNano, pricePerUnitNano, amountNano, notes }) => ({
    ...{ sku, unitsNano, pricePerUnitNano, amountNano, notes },
  }))
}

test('each line of a bill is a row: tokens by the million, searches by the piece', () => {
  const notes = 'API Inference'
  expect(rowsOf({})).toEqual([
    { sku: 'demo-llm-input-mtoken', unitsNano: 1_000n, pricePerUnitNano: 1n, amountNano: -10n, notes },
    { sku: 'demo-llm-cache-read-mtoken', unitsNano: 2_000n, pricePerUnitNano: 3n, amountNano: -20n, notes },
    { sku: 'demo-llm-cache-write-mtoken', unitsNano: 3_000n, pricePerUnitNano: 4n, amountNano: -30n, notes },
    { sku: 'demo-llm-output-mtoken', unitsNano: 4_000_000_000n, pricePerUnitNano: 2n, amountNano: -40n, notes },
    { sku: 'demo-web-search', unitsNano: 2_000_000_000n, pricePerUnitNano: 5n, amountNano: -50n, notes },
  ])
})

test.each<[string, Partial<ChargeFacts>, string, bigint]>([
  ['a charge that was corrected later', { amountNano: -100n }, 'demo-llm-usage', -100n],
  [
    'a part that one currency of several paid',
    { currency: 'diem', amountNano: -7n, request: { ...request, isShared: true } },
    'demo-llm-usage',
    -7n,
  ],
  ['a correction that gives back', { amountNano: 50n }, 'demo-llm-usage', 50n],
  ['a charge whose record is gone', { request: null }, 'llm-usage', -150n],
])('%s is one row with its own amount', (_, change, sku, amountNano) => {
  const pricePerUnitNano = amountNano < 0n ? -amountNano : amountNano
  expect(rowsOf(change)).toEqual([
    { sku, amountNano, unitsNano: 1_000_000_000n, pricePerUnitNano, notes: expect.stringContaining('API Inference (') },
  ])
})

test('no text of a table is taken for a formula or ends its field', () => {
  const named = (model: string) =>
    historyRows({ place: { atMs: 0 }, currency: 'usd', amountNano: -10n, request: { ...request, model } })
  const line = (model: string) => historyCsv(named(model)).split('\r\n')[1]?.slice('1970-01-01T00:00:00.000Z,'.length)
  expect(line('=1+1')).toMatch(/^'=1\+1-llm-usage,1,0\.00000001,-0\.00000001,USD/)
  expect(line('-x')).toMatch(/^'-x/)
  expect(line('a,"b"')).toMatch(/^"a,""b""-llm-usage",/)
})

test.each([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")-llm-usage"`],
  ['+1', "'+1-llm-usage"],
  ['-1+1', "'-1+1-llm-usage"],
  ['@SUM(A1)', "'@SUM(A1)-llm-usage"],
  ['\t=1', "'\t=1-llm-usage"],
  ['\r=1', `"'\r=1-llm-usage"`],
  ['a,b"c', '"a,b""c-llm-usage"'],
])('a name that a spreadsheet would run is a text in the table: %j', (model, field) => {
  const charge = { place: { atMs: 0 }, currency: 'usd', amountNano: -7n, request: { ...request, model } } as const
  const [, row = ''] = historyCsv(historyRows(charge)).split('\r\n1970').join('\n1970').split('\n1970')
  expect(`1970${row}`.startsWith(`1970-01-01T00:00:00.000Z,${field},1,0.000000007,-0.000000007,USD,`)).toBe(true)
})
