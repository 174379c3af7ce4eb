import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { integerMax, integerRange } from '../../gguf/src/schema/integer-range.ts'
import { compileSchemaGrammar } from '../../gguf/src/schema/schema-grammar.ts'
import { toToolParameters } from '../../gguf/src/schema/tool-parameters.ts'

const integer = fc.oneof(fc.integer({ min: -130, max: 130 }), fc.integer({ min: -integerMax, max: integerMax }))

describe('a range of integers', () => {
  it('matches exactly the integers between its bounds', () => {
    fc.assert(
      fc.property(integer, integer, fc.array(integer, { maxLength: 8 }), (one, other, values) => {
        const [min, max] = [Math.min(one, other), Math.max(one, other)]
        // The grammar uses only what regular expressions have too, once literals lose their quotes.
        const expression = new RegExp(`^${integerRange(min, max).replaceAll(/[" ]/g, '')}$`)
        for (const value of [...values, min - 1, min, min + 1, max - 1, max, max + 1, 0]) {
          expect(expression.test(String(value)), `${value} in ${min}…${max}`).toBe(value >= min && value <= max)
        }
        for (const spelling of ['-0', '007', '', '-', '1.0', '1e3']) expect(expression.test(spelling)).toBe(false)
      }),
    )
  })

  it('does not exist the wrong way round', () => {
    expect(() => integerRange(1, 0)).toThrow(RangeError)
  })
})

describe('a schema becomes a grammar', () => {
  it('that spells property names and constants as JSON does', () => {
    const grammar = compileSchemaGrammar({
      type: 'object',
      properties: { 'a"b': { const: 'c\\d\n' } },
      required: ['a"b'],
    })
    expect(grammar).toContain(String.raw`"\"a\\\"b\"" colon "\"c\\\\d\\n\""`)
  })

  it('whose recursive references end', () => {
    const node = { type: 'object', properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } } }
    const grammar = compileSchemaGrammar({ $ref: '#/$defs/node', $defs: { node } })
    expect(grammar).toMatch(/^root ::= rule-0\nrule-0 ::= /)
  })

  it('that holds only the rules it needs', () => {
    expect(compileSchemaGrammar({ type: 'boolean' }).split('\n')).toEqual([
      'root ::= json-boolean',
      'json-boolean ::= "true" | "false"',
    ])
  })

  it('with bounds as wide as safe integers, which schema libraries add by themselves', () => {
    const schema = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
    expect(compileSchemaGrammar(schema)).toBe(compileSchemaGrammar({ type: 'integer' }))
  })

  it('keeping only those constants that have the right type', () => {
    expect(compileSchemaGrammar({ type: 'string', enum: [1, 'a', null] })).toBe('root ::= "\\"a\\""')
  })

  it.each<[string, unknown, string]>([
    ['a pattern', { type: 'string', pattern: '^a' }, '/pattern'],
    ['bounds of fractions', { type: 'number', minimum: 0 }, '/minimum'],
    ['bounds of a type that may be fractional', { type: ['integer', 'number'], maximum: 3 }, '/maximum'],
    ['unique items', { type: 'array', uniqueItems: true }, '/uniqueItems'],
    ['not', { not: { type: 'string' } }, '/not'],
    ['two schemas at once', { allOf: [{ type: 'string' }, { maxLength: 3 }] }, '/allOf'],
    ['one of two that overlap', { oneOf: [{ type: 'integer' }, { type: 'number' }] }, '/oneOf'],
    ['alternatives beside properties', { type: 'object', anyOf: [{ required: ['a'] }] }, '/type'],
    ['a required property that is not declared', { type: 'object', required: ['a'] }, '/required'],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, '/$ref'],
    ['a reference to nothing', { $ref: '#/$defs/none' }, '/$ref'],
    ['a type that JSON lacks', { type: 'date' }, '/type'],
    ['more items than it allows', { type: 'array', minItems: 2, maxItems: 1 }, 'more items'],
    ['a length beyond all bounds', { type: 'string', maxLength: 100_000 }, '/maxLength'],
    ['no value at all', { type: 'string', enum: [1] }, 'no value'],
    ['an empty range', { type: 'integer', minimum: 5, maximum: 4 }, 'no integer'],
    ['no schema', 'string', 'object'],
    ['endless nesting', nested(40), 'deeper'],
  ])('or is refused: %s', (_name, schema, message) => {
    expect(() => compileSchemaGrammar(schema)).toThrow(message)
  })

  it('and lets one of several pass where no value can match two', () => {
    const tagged = (tag: string): object => ({ type: 'object', properties: { tag: { const: tag } }, required: ['tag'] })
    expect(() => compileSchemaGrammar({ oneOf: [tagged('a'), tagged('b'), { type: 'null' }] })).not.toThrow()
    expect(() => compileSchemaGrammar({ oneOf: [tagged('a'), tagged('a')] })).toThrow('anyOf')
  })
})

describe("a tool's parameters", () => {
  it('lose what the function grammar lacks and keep the rest', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'string', pattern: '^x', maxLength: 4 }, when: { type: 'string', format: 'date' } },
      required: ['id'],
      additionalProperties: false,
    }
    expect(toToolParameters(schema)).toEqual({
      type: 'object',
      properties: { id: { type: 'string', maxLength: 4 }, when: { type: 'string', format: 'date' } },
    })
  })

  it('keep their own definitions and split lists of types', () => {
    expect(toToolParameters({ $ref: '#/$defs/x', $defs: { x: { type: ['array', 'null'] } } })).toEqual({
      $ref: '#/$defs/x',
      $defs: { x: { oneOf: [{ type: 'array' }, { type: 'null' }] } },
    })
  })

  it('widen to any value where the schema says too little or refers elsewhere', () => {
    expect(toToolParameters({ $ref: 'https://example.com/x' })).toHaveProperty('oneOf')
    expect(toToolParameters({ anyOf: [{ type: 'string' }, {}] })).toMatchObject({
      oneOf: [{ type: 'string' }, { oneOf: {} }],
    })
    expect(toToolParameters({ type: 'object' })).toEqual({ type: 'object', additionalProperties: true })
  })
})

function nested(depth: number): object {
  return depth === 0 ? { type: 'null' } : { type: 'array', items: nested(depth - 1) }
}
