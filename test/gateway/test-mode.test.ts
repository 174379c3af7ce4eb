import { describe, expect, it } from 'vitest'
import { codeSpans, readPage } from '../docs/markdown.ts'
import { root } from '../docs/pages.ts'
import { chunksOf, useGateway } from '../support/gateway/index.ts'
import { waitFor } from '../support/wait-for.ts'

/** Every row of the tables of docs/test-mode.md, asked of a gateway: as a whole answer and as a stream, with the charge. */

const timeouts = { connectMs: 5_000, firstByteMs: 1_500, idleMs: 1_000, totalMs: 20_000, streamTotalMs: 20_000 }
const pricing = { inputUsdPerMTok: 1, outputUsdPerMTok: 2, cacheReadUsdPerMTok: 0.5, cacheWriteUsdPerMTok: 3 }

const gateway = useGateway({
  engines: {},
  models: { 'rialto/sandbox': {} },
  settings: {
    engines: [{ id: 'embedded', kind: 'embedded', timeouts }],
    models: [
      {
        id: 'rialto/sandbox',
        served: [{ engine: 'embedded', model: 'sandbox' }],
        tier: 'XS',
        contextTokens: 131_072,
        maxOutputTokens: 16_384,
        pricing,
      },
    ],
  },
})

const page = readPage(`${root}docs/test-mode.md`)
const rowsOf = (head: string) => page.tables.find(table => table.head[0] === head)?.rows ?? []

const tools = ['get_weather', 'get_time'].map(name => ({ type: 'function', function: { name } }))

/** Values for those inputs whose syntax does not begin with one. */
const values: Readonly<Record<string, string>> = {
  TIME: '=5ms',
  NAME: '=get_time',
  '0..100000': '=3',
  '1..100000': '=4',
}

function bodyFor(input: string) {
  return {
    messages: [{ role: 'user', content: `Hello there ${input}` }],
    max_tokens: 40,
    ...(input.includes('tool') ? { tools } : {}),
  }
}

interface Seen {
  readonly status: number
  readonly code: string | undefined
  readonly estimated: boolean
  readonly completionTokens: number
  readonly costNano: bigint
}

async function charged<T>(ask: () => Promise<T>): Promise<{ seen: T; costNano: bigint }> {
  const before = await gateway.client.credits()
  const seen = await ask()
  const after = await gateway.client.credits()
  expect(after.availableNano).toBe(after.balanceNano)
  return { seen, costNano: before.balanceNano - after.balanceNano }
}

async function whole(input: string): Promise<Seen & { readonly headers: Readonly<Record<string, unknown>> }> {
  const { seen: answer, costNano } = await charged(() => gateway.client.chat(bodyFor(input)))
  return {
    status: answer.status,
    code: answer.json.error?.code,
    estimated: answer.json.usage_estimated === true,
    completionTokens: answer.json.usage?.completion_tokens ?? 0,
    headers: answer.headers,
    costNano,
  }
}

async function stream(input: string): Promise<Seen> {
  const { seen: reading, costNano } = await charged(() => gateway.client.stream(bodyFor(input)))
  const events = reading.status === 200 ? chunksOf(reading) : [JSON.parse(reading.text)]
  const last = events.at(-1)
  return {
    status: reading.status,
    code: last?.error?.code,
    estimated: last?.usage_estimated === true,
    completionTokens: last?.usage?.completion_tokens ?? 0,
    costNano,
  }
}

/** What a cell says: `502 \`upstream_error\``, `200, then an event \`upstream_error\``, `200, \`usage_estimated\``. */
function readCell(cell: string) {
  const names = codeSpans(cell)
  return {
    status: Number(/^\d{3}/.exec(cell)?.[0]),
    code: names.find(name => name.startsWith('upstream_')),
    estimated: names.includes('usage_estimated'),
  }
}

const rows = rowsOf('Magic input').filter(([name = '']) => !/sandbox:(status|retry-after|usage)=/.test(name))

describe('each magic input does what its row says', () => {
  it.each(rows)('%s: %s', async (spelled = '', _what, wholeCell = '', streamCell = '', charge = '') => {
    const [name = '', syntax = ''] = (codeSpans(spelled)[0] ?? '').split('=')
    const input = name + (syntax === '' ? '' : (values[syntax] ?? `=${syntax.split(/[|.]/)[0]}`))
    const answer = await whole(input)
    expect(answer).toMatchObject(readCell(wholeCell))
    const reading = await stream(input)
    expect(reading).toMatchObject(readCell(streamCell.startsWith('the same') ? wholeCell : streamCell))
    const costs =
      charge === '0' ? [0n, 0n] : [answer.costNano, charge.startsWith('0 as a stream') ? 0n : reading.costNano]
    expect([answer.costNano, reading.costNano]).toEqual(costs)
    if (!charge.startsWith('0')) expect(answer.costNano).toBeGreaterThan(0n)
    expect(reading.completionTokens).toBeLessThanOrEqual(40)
  })
})

describe('each status is seen as the table says', () => {
  const shown = rowsOf('Status of the engine').flatMap(([statuses = '', seen = '', code = '']) =>
    statuses.split(', ').flatMap(range => {
      const ends = range.split('–').map(Number)
      return [...new Set(ends)].map(status => [status, /^\d+/.exec(seen)?.[0] ?? status, codeSpans(code)[0]] as const)
    }),
  )

  it.each(shown)('%i is seen as %s %s', async (status, seen, code) => {
    const expected = { status: Number(seen), code, costNano: 0n }
    expect(await whole(`sandbox:status=${status}`)).toMatchObject(expected)
    expect(await stream(`sandbox:status=${status}`)).toMatchObject(expected)
  })

  it('a 429 comes with the wait that was asked for', async () => {
    const { headers } = await whole('sandbox:status=429 sandbox:retry-after=7')
    expect(headers['retry-after']).toBe('7')
  })
})

describe('each wrong usage is charged as the table says', () => {
  it.each(rowsOf('Value'))('%s: %s', async (value = '', _what, charge = '') => {
    const input = `sandbox:usage=${codeSpans(value)[0]}`
    const estimated = charge.includes('estimated')
    const [answer, reading] = [await whole(input), await stream(input)]
    expect(reading).toMatchObject({ status: 200, estimated })
    expect(answer).toMatchObject({ status: 200, estimated: estimated && !charge.includes('whole answer') })
    if (charge.endsWith(': 0')) expect([answer.costNano, reading.costNano]).toEqual([0n, 0n])
    else expect(reading.costNano).toBeGreaterThan(0n)
  })
})

it('failures on demand leave the gateway ready', async () => {
  for (let failure = 0; failure < 6; failure++) await whole('sandbox:status=500')
  expect((await gateway.client.send('/health/ready', { key: null, method: 'GET' })).status).toBe(200)
})

it('what is not known is a 400 that suggests what was meant', async () => {
  const answer = await gateway.client.chat(bodyFor('sandbox:statsu=429'))
  expect([answer.status, answer.json.error?.code]).toEqual([400, 'unknown_magic_input'])
  expect(answer.json.error?.message).toBe('Magic input of the test mode: `statsu` is not known; did you mean `status`?')
})

it('a caller who leaves ends a call that waits, and pays for the prompt and what was sent', async () => {
  const before = await gateway.client.credits()
  const reading = await gateway.client.openStream(bodyFor('sandbox:hang-after=2'))
  await reading.receive(3)
  const leftAt = performance.now()
  reading.abort()
  const after = await waitFor('the charge', async () => {
    const credits = await gateway.client.credits()
    return credits.usedNano > before.usedNano ? credits : undefined
  })
  // Sooner than the node's own patience would have ended it.
  expect(performance.now() - leftAt).toBeLessThan(timeouts.idleMs)
  expect(after.availableNano).toBe(after.balanceNano)
})
