import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts'
import { makeInstance } from './make-instance.ts'
import { SchemaRefused } from './schema-refused.ts'

/** The judge that knows nothing of how instances are made. */
function isValid(schema: JsonValue, value: JsonValue): boolean {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value).success
}

function expectValid(schema: JsonValue, variants = 1): void {
  for (let variant = 0; variant < variants; variant++) {
    const value = makeInstance(schema, variant)
    expect(isValid(schema, value), `${JSON.stringify(value)} for ${JSON.stringify(schema)}`).toBe(true)
  }
}

const small = fc.integer({ min: 0, max: 12 })

const stringSchema = fc.oneof(
  fc.tuple(small, small).map(([minLength, more]) => ({ type: 'string', minLength, maxLength: minLength + more })),
  fc
    .constantFrom('date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid')
    .map(format => ({ type: 'string', format })),
  fc
    .constantFrom(
      '^[A-Z]{2,4}-\\d+$',
      'x{3}',
      '^(a|bc)*$',
      '^\\w+@[a-z.]+$',
      '^(?!x)[^\\s]?$',
      '\\bend$',
      '^[\\u0041-\\x5a]',
    )
    .map(pattern => ({ type: 'string', pattern })),
)

const numberSchema = fc
  .record({
    type: fc.constantFrom('integer', 'number'),
    low: fc.integer({ min: -50, max: 50 }),
    room: fc.integer({ min: 3, max: 40 }),
    step: fc.constantFrom(1, 2, 3, 0.5, 0.1, 0.25),
    parts: fc.subarray(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']),
  })
  .map(({ type, low, room, step, parts }) => {
    const all: JsonObject = {
      minimum: low,
      maximum: low + room,
      exclusiveMinimum: low - 1.5,
      exclusiveMaximum: low + room + 0.5,
      multipleOf: type === 'integer' ? Math.ceil(step) : step,
    }
    return { type, ...Object.fromEntries(parts.map(part => [part, all[part] ?? 0])) }
  })

const listedSchema = fc.oneof(
  fc
    .uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)), { minLength: 1, maxLength: 4 })
    .map(values => ({ enum: values }) as JsonObject),
  fc.oneof(fc.string(), fc.integer(), fc.boolean()).map(value => ({ const: value })),
)

const { schema } = fc.letrec<{ schema: JsonObject; object: JsonObject; array: JsonObject; mixed: JsonObject }>(tie => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    stringSchema,
    numberSchema,
    listedSchema,
    fc.constantFrom<JsonObject[]>({ type: 'boolean' }, { type: 'null' }, { type: ['string', 'null'] }),
    tie('object'),
    tie('array'),
    tie('mixed'),
  ),
  object: fc
    .record({
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('schema'), { maxKeys: 4 }),
      required: fc.subarray(['a', 'b', 'e']),
      additional: fc.option(tie('schema'), { nil: undefined }),
      minProperties: fc.integer({ min: 0, max: 5 }),
    })
    .map(({ properties, required, additional, minProperties }) => ({
      type: 'object',
      properties,
      required,
      minProperties,
      ...(additional === undefined ? {} : { additionalProperties: additional }),
    })),
  array: fc
    .record({ items: tie('schema'), minItems: fc.integer({ min: 0, max: 3 }), more: fc.integer({ min: 0, max: 2 }) })
    .map(({ items, minItems, more }) => ({ type: 'array', items, minItems, maxItems: minItems + more })),
  mixed: fc
    .record({ keyword: fc.constantFrom('anyOf', 'allOf'), first: tie('schema'), second: tie('schema') })
    .map(({ keyword, first, second }) =>
      keyword === 'allOf' ? { allOf: [first, first] } : { anyOf: [first, second] },
    ),
}))

describe('an instance', () => {
  it('is valid for every schema that another validator judges', () => {
    fc.assert(
      fc.property(schema, fc.integer({ min: 0, max: 5 }), (schema, variant) => {
        const value = makeInstance(schema, variant)
        expect(isValid(schema, value), JSON.stringify(value)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('is the same each time', () => {
    fc.assert(
      fc.property(schema, schema => {
        expect(makeInstance(schema)).toEqual(makeInstance(schema))
      }),
      { numRuns: 50 },
    )
  })

  it('has every property that is declared, required or not', () => {
    const value = makeInstance({
      type: 'object',
      properties: {
        name: { type: 'string' },
        age: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['name'],
    })
    expect(value).toEqual({ name: 'sandbox', age: 1, tags: ['sandbox'] })
  })

  it('keeps a property that is called __proto__', () => {
    const schema = { type: 'object', required: ['__proto__'] }
    const value = makeInstance(schema)
    expect(isJsonObject(value) && Object.hasOwn(value, '__proto__')).toBe(true)
  })
})

describe('recursion', () => {
  it('ends as soon as it may', () => {
    expectValid({
      $defs: {
        node: {
          type: 'object',
          properties: {
            value: { type: 'integer' },
            left: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
            right: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
            more: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
          required: ['value', 'left', 'right', 'more'],
          additionalProperties: false,
        },
      },
      $ref: '#/$defs/node',
    })
  })

  it('stays small where a schema contains itself many times', () => {
    const properties = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`p${index}`, { $ref: '#' }]))
    expect(JSON.stringify(makeInstance({ type: 'object', properties })).length).toBeLessThan(200_000)
  })

  it.each([
    ['an object that always contains itself', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }],
    ['a schema that is itself', { allOf: [{ $ref: '#' }] }],
    ['a choice of itself', { anyOf: [{ $ref: '#' }, { type: 'string' }] }],
    ['references in a circle', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }],
  ])('without an end is refused: %s', (_, schema) => {
    expect(() => makeInstance(schema)).toThrow(SchemaRefused)
  })
})

describe('keywords', () => {
  it.each([
    ['uniqueItems', { type: 'array', items: { type: 'string' }, minItems: 5, uniqueItems: true }, 1],
    [
      'uniqueItems over an enum',
      { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true },
      1,
    ],
    ['prefixItems', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }, 1],
    [
      'oneOf',
      {
        oneOf: [
          { type: 'string', maxLength: 3 },
          { type: 'string', minLength: 2, maxLength: 20 },
        ],
      },
      3,
    ],
    [
      'a discriminated oneOf',
      {
        oneOf: ['a', 'b'].map(kind => ({ type: 'object', properties: { kind: { const: kind } }, required: ['kind'] })),
      },
      1,
    ],
    [
      'allOf',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] },
        ],
      },
      1,
    ],
    ['propertyNames', { type: 'object', propertyNames: { pattern: '^x-' }, minProperties: 2 }, 1],
    [
      'patternProperties',
      {
        type: 'object',
        patternProperties: { '^x-': { type: 'integer' } },
        additionalProperties: false,
        minProperties: 2,
      },
      1,
    ],
    [
      'a reference with escapes',
      { $defs: { 'a/b~c': { type: 'integer' } }, type: 'object', properties: { a: { $ref: '#/$defs/a~1b~0c' } } },
      1,
    ],
    ['lengths of a format', { type: 'string', format: 'email', minLength: 30, maxLength: 40 }, 3],
    ['a short format', { type: 'string', format: 'email', maxLength: 8 }, 3],
    ['a long pattern', { type: 'string', pattern: '^(foo|ba)+$', minLength: 10, maxLength: 12 }, 1],
    ['an empty schema', {}, 3],
  ] as const)('%s', (_, schema, variants) => {
    expectValid(schema as JsonValue, variants)
  })

  // The other validator does not know these, so the expected values stand here.
  it.each([
    ['not', { type: 'string', not: { const: 'sandbox' } }, '1 sandbox'],
    [
      'if, then',
      {
        type: 'object',
        properties: { a: { const: 1 }, b: { type: 'null' } },
        if: { required: ['a'] },
        ...Object.fromEntries([['then', { required: ['b'] }]]),
      },
      { a: 1, b: null },
    ],
    ['contains', { type: 'array', items: { type: 'integer' }, contains: { const: 5 }, minContains: 2 }, [5, 5]],
    [
      'dependentRequired',
      { type: 'object', dependentRequired: { a: ['b'] }, properties: { b: {}, a: {} } },
      { b: 'sandbox', a: 'sandbox' },
    ],
    ['two steps at once', { allOf: [{ multipleOf: 1.5 }, { multipleOf: 2 }], minimum: 5 }, 6],
    ['a narrow gap', { exclusiveMinimum: 0, exclusiveMaximum: 0.1 }, 0.09],
    ['items of older drafts', { type: 'array', items: [{ type: 'null' }], additionalItems: false }, [null]],
  ] as const)('%s', (_, schema, expected) => {
    expect(makeInstance(schema as unknown as JsonValue)).toEqual(expected)
  })

  it('serves what zod writes for its own types', () => {
    const shape = z.object({
      email: z.email(),
      id: z.uuid(),
      at: z.iso.datetime(),
      day: z.iso.date(),
      time: z.iso.time(),
      link: z.url(),
      address: z.ipv4(),
      kind: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('a'), value: z.int() }),
        z.object({ kind: z.literal('b') }),
      ]),
      pair: z.tuple([z.string(), z.number()]),
      record: z.record(z.string(), z.number()),
      nothing: z.string().nullable(),
      share: z.number().positive().multipleOf(0.25),
      code: z.string().startsWith('ab').endsWith('q'),
    })
    expect(shape.safeParse(makeInstance(z.toJSONSchema(shape) as JsonValue)).error).toBeUndefined()
  })
})

describe('a schema is refused with a reason', () => {
  it.each([
    ['that has no instance', false, 'has no instance'],
    ['with an empty enum', { enum: [] }, 'has no instance'],
    ['whose bounds exclude each other', { type: 'integer', minimum: 3, maximum: 2 }, 'has no instance'],
    ['with a keyword that is not known', { unevaluatedProperties: false }, 'uses `unevaluatedProperties`'],
    ['with a pattern that looks behind', { pattern: '(?<=a)b' }, 'looks behind'],
    ['with a property of Unicode', { pattern: '^\\p{L}$' }, 'property of Unicode'],
    ['with a pattern that breaks off', { pattern: '(a' }, 'not closed'],
    ['with a reference to elsewhere', { $ref: 'https://example.com/schema' }, 'its own parts'],
    ['with a reference to nothing', { $ref: '#/$defs/none' }, 'does not have'],
    ['with a number where a list belongs', { type: 'object', required: 3 }, '`required`'],
    ['that is text', 'string', 'neither an object nor a boolean'],
    ['that wants too long a string', { type: 'string', minLength: 1e9 }, 'more than 100000'],
    ['that wants too many items', { type: 'array', minItems: 1e9 }, 'more work'],
    ['that wants too many properties', { type: 'object', minProperties: 1e9 }, 'more than 1000'],
    ['that wants too many repetitions', { pattern: '((a{9999}){9999}){9999}' }, 'more work'],
    ['that combines too much', { allOf: Array(65).fill(true) }, 'combines too many'],
  ] as const)('%s', (_, schema, reason) => {
    expect(() => makeInstance(schema as unknown as JsonValue)).toThrow(SchemaRefused)
    expect(() => makeInstance(schema as unknown as JsonValue)).toThrow(reason)
  })
})
