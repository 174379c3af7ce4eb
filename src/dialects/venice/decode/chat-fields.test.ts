import { describe, expect, it } from 'vitest'
import { decoded, issuesOf } from '../../../../test/support/venice/decode-body.ts'
import {
  fraction,
  infinite,
  neither,
  noForm,
  notAbove,
  notOneOf,
  type Refusal,
  required,
  rowsOf,
  saying,
  tooBig,
  tooSmall,
  unknownKeys,
  wrongType,
} from '../../../../test/support/venice/expected-issues.ts'

interface Row {
  readonly takes: readonly unknown[]
  readonly refuses: readonly Refusal[]
}

const integerMax = 2_147_483_648
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
const verbosities = ['low', 'medium', 'high', 'auto']
const formats = ['text', 'json_object', 'json_schema']

function range(min: number, max: number): Row {
  return {
    takes: [min, (min + max) / 2, max],
    refuses: [[min - 0.001, tooSmall(min)], [max + 0.001, tooBig(max)], [1e300, tooBig(max)], ...notNumbers],
  }
}

function integers(min: number, max = integerMax): Row {
  return {
    takes: [min, max],
    refuses: [
      [min - 1, tooSmall(min)],
      [max + 1, tooBig(max)],
      [1e300, tooBig(max)],
      [min + 0.5, fraction],
      ...notNumbers,
    ],
  }
}

const notNumbers: readonly Refusal[] = [
  ['1', wrongType('number', 'string')],
  ['NaN', wrongType('number', 'string')],
  [true, wrongType('number', 'boolean')],
  [[1], wrongType('number', 'array')],
  [{}, wrongType('number', 'object')],
  [Number.POSITIVE_INFINITY, infinite],
]

const booleans: Row = {
  takes: [true, false],
  refuses: [
    ['true', wrongType('boolean', 'string')],
    [1, wrongType('boolean', 'number')],
    [[], wrongType('boolean', 'array')],
    [{}, wrongType('boolean', 'object')],
  ],
}

const texts: Row = {
  takes: ['a', '', '日本語 \u{1f600}', '\ud800', 'x'.repeat(100_000)],
  refuses: [
    [1, wrongType('string', 'number')],
    [false, wrongType('string', 'boolean')],
    [['a'], wrongType('string', 'array')],
    [{}, wrongType('string', 'object')],
  ],
}

function words(options: readonly string[]): Row {
  const all = options.map(option => `'${option}'`).join(' | ')
  return {
    takes: options,
    refuses: [
      ['', notOneOf(options, '')],
      [options[0]?.toUpperCase(), notOneOf(options, options[0]?.toUpperCase() ?? '')],
      ['x'.repeat(10_000), notOneOf(options, `${'x'.repeat(64)}…`)],
      [1, wrongType(all, 'number')],
      [[options[0]], wrongType(all, 'array')],
    ],
  }
}

/** Every row of venice.md §1.2 with the bounds of §19, but messages, tools and their choice. */
const rows: Readonly<Record<string, Row>> = {
  temperature: range(0, 2),
  top_p: range(0, 1),
  top_k: integers(0),
  min_p: range(0, 1),
  min_temp: range(0, 2),
  max_temp: range(0, 2),
  repetition_penalty: { takes: [0, 1.1, 5_000], refuses: [[-0.1, tooSmall(0)], ...notNumbers] },
  frequency_penalty: range(-2, 2),
  presence_penalty: range(-2, 2),
  max_completion_tokens: integers(1),
  max_tokens: {
    takes: [1, 0, -1, -0.5, integerMax],
    refuses: [[integerMax + 1, tooBig(integerMax)], [1.5, fraction], ...notNumbers],
  },
  n: integers(1),
  seed: {
    takes: [1, Number.MAX_SAFE_INTEGER],
    refuses: [
      [0, notAbove(0)],
      [-1, notAbove(0)],
      [1.5, fraction],
      [1e300, tooBig(Number.MAX_SAFE_INTEGER)],
      ...notNumbers,
    ],
  },
  stop: {
    takes: ['\n', ['a'], ['a', 'b', 'c', 'd']],
    refuses: [
      [[], tooSmall(1, 'array')],
      [['a', 'b', 'c', 'd', 'e'], tooBig(4, 'array')],
      [Array(100_000).fill(1), tooBig(4, 'array')],
      [['a', 1], wrongType('string', 'number'), 1],
      [['a', null], wrongType('string', 'null'), 1],
      [1, neither(['string', 'array'], 'number')],
      [{}, neither(['string', 'array'], 'object')],
    ],
  },
  stop_token_ids: {
    takes: [[], [151_643, 151_645]],
    refuses: [
      [1, wrongType('array', 'number')],
      [['1'], wrongType('number', 'string'), 0],
      [Array(1_001).fill(1), tooBig(1_000, 'array')],
    ],
  },
  stream: booleans,
  stream_options: {
    takes: [{}, { include_usage: true }, { include_usage: null }, { more: 1 }],
    refuses: [
      [true, wrongType('object', 'boolean')],
      [{ include_usage: 'yes' }, wrongType('boolean', 'string'), 'include_usage'],
    ],
  },
  logprobs: booleans,
  top_logprobs: integers(0, 20),
  response_format: {
    takes: [{ type: 'text' }, { type: 'json_object' }, { type: 'json_schema', json_schema: {} }],
    refuses: [
      ['json_object', wrongType('object', 'string')],
      [{}, noForm(formats), 'type'],
      [{ type: 'yaml' }, noForm(formats), 'type'],
      [{ type: 'text', schema: {} }, unknownKeys('schema')],
      [{ type: 'json_object', json_schema: {} }, unknownKeys('json_schema')],
      [{ type: 'json_schema' }, required('object'), 'json_schema'],
      [{ type: 'json_schema', json_schema: 'x' }, wrongType('object', 'string'), 'json_schema'],
      [{ type: 'json_schema', json_schema: [] }, wrongType('object', 'array'), 'json_schema'],
      [{ type: 'json_schema', json_schema: {}, strict: true }, unknownKeys('strict')],
    ],
  },
  parallel_tool_calls: booleans,
  reasoning_effort: words(efforts),
  reasoning: {
    takes: [{}, { effort: 'low', summary: 'auto', enabled: false }, { effort: null }, { max_tokens: 9 }],
    refuses: [
      ['high', wrongType('object', 'string')],
      [{ effort: 'maximum' }, notOneOf(efforts, 'maximum'), 'effort'],
      [{ summary: 'long' }, notOneOf(['auto', 'concise', 'detailed'], 'long'), 'summary'],
      [{ enabled: 1 }, wrongType('boolean', 'number'), 'enabled'],
    ],
  },
  verbosity: words(verbosities),
  text: {
    takes: [{}, { verbosity: 'low' }, { verbosity: null }, { format: { type: 'text' } }],
    refuses: [
      ['low', wrongType('object', 'string')],
      [{ verbosity: 'none' }, notOneOf(verbosities, 'none'), 'verbosity'],
    ],
  },
  prompt_cache_key: texts,
  prompt_cache_retention: words(['default', 'extended', '24h']),
  anon_user_id: {
    takes: ['u', ' u ', '', ' \t\n', '~', 'a|b', 'x'.repeat(128), ` ${'x'.repeat(128)} `],
    refuses: [
      ['x'.repeat(129), tooBig(128, 'string')],
      ['a||b', saying('anon_user_id must not contain ||')],
      [1, wrongType('string', 'number')],
      ...['é', 'a\u0000b', 'a\nb', '\u{1f600}', '\u007f'].map((id): Refusal => {
        const message = 'anon_user_id may hold printable ASCII characters only (0x20 to 0x7E)'
        return [id, { code: 'invalid_string', validation: 'regex', message }]
      }),
    ],
  },
  fallbacks: {
    takes: [[], [{ model: 'a' }, { model: 'b', more: 1 }], Array(10).fill({ model: 'a' })],
    refuses: [
      [Array(11).fill({ model: 'a' }), tooBig(10, 'array')],
      [{}, wrongType('array', 'object')],
      [['a'], wrongType('object', 'string'), 0],
      [[{}], required('string'), 0, 'model'],
    ],
  },
  venice_parameters: {
    takes: [{}, { of_tomorrow: 1 }],
    refuses: [
      ['x', wrongType('object', 'string')],
      [[], wrongType('object', 'array')],
    ],
  },
}

describe.each(Object.entries(rows))('%s', (field, { takes, refuses }) => {
  it.each([...takes, null].map(value => [value]))('takes %j', value => {
    expect(decoded({ [field]: value }).request.modelId).toBe('m')
  })

  it.each(rowsOf(refuses))('refuses $value, and says why', ({ value, issue, inside }) => {
    expect(issuesOf({ [field]: value })).toEqual([{ ...issue, path: [field, ...inside] }])
  })
})

describe('the top level', () => {
  it('is strict', () => {
    expect(issuesOf({ zebra: 1, logit_bias: {} })).toEqual([{ ...unknownKeys('zebra', 'logit_bias'), path: [] }])
  })

  it.each(['__proto__', 'constructor', 'Temperature', ' model', ''])('does not know %j', key => {
    const body = Object.fromEntries([[key, 1]])
    expect(issuesOf(body)).toEqual([{ ...unknownKeys(key), path: [] }])
  })

  it.each([null, 0, 'x'])('does not take an unknown key because it holds %j', value => {
    expect(issuesOf({ zebra: value })).toEqual([{ ...unknownKeys('zebra'), path: [] }])
  })

  it('tells all that is wrong at once', () => {
    const paths = issuesOf({ temperature: 3, top_p: -1, zebra: 1, messages: [], tools: 1, tool_choice: 'any' })
    expect(paths.map(issue => ('path' in issue ? issue.path : null))).toEqual([
      ['temperature'],
      ['top_p'],
      [],
      ['messages'],
      ['tools'],
      ['tool_choice'],
    ])
  })
})
