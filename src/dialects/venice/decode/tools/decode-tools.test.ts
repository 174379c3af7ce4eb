import { describe, expect, it } from 'vitest'
import { decoded, issuesOf } from '../../../../../test/support/venice/decode-body.ts'
import {
  neither,
  notOneOf,
  required,
  rowsOf,
  tooSmall,
  wrongType,
} from '../../../../../test/support/venice/expected-issues.ts'

const parameters = { type: 'object', properties: { at: { enum: ['x', null] } }, __proto: 1 }
const definition = { name: 'look', description: 'Looks.', parameters, strict: true }
const nested = { type: 'function', function: definition }
const bare = { type: 'function', function: { name: 'look' } }

const parametersOf = (members: object) => decoded(members).composition.parameters

describe('a tool', () => {
  it.each([
    [nested, nested],
    [{ function: definition }, nested],
    [{ type: 'web_search', function: definition }, nested],
    [{ type: 'anything', id: 'i', function: { ...definition, more: 1 } }, nested],
    [{ type: null, function: { name: 'look', description: null, parameters: null, strict: null } }, bare],
    [{ type: 'function', ...definition }, nested],
    [{ ...definition }, nested],
    [{ name: 'look' }, bare],
    [{ name: 'look', description: 'Looks.', input_schema: parameters, strict: true, cache_control: {} }, nested],
    [{ type: 'custom', name: 'look', description: 'Looks.', input_schema: parameters, strict: true }, nested],
  ])('given as %j is nested', (tool, expected) => {
    expect(parametersOf({ tools: [tool] })).toEqual({ tools: [expected] })
  })

  it.each(
    rowsOf([
      ['look', wrongType('object', 'string')],
      [null, wrongType('object', 'null')],
      [{}, required('object'), 'function'],
      [{ type: 'function' }, required('object'), 'function'],
      [{ type: 'code_interpreter' }, required('object'), 'function'],
      [{ type: 'web_search_20250305', name: 'w' }, notOneOf(['function', 'custom'], 'web_search_20250305'), 'type'],
      [{ type: 5, function: definition }, wrongType('string', 'number'), 'type'],
      [{ function: 'look' }, wrongType('object', 'string'), 'function'],
      [{ function: null }, wrongType('object', 'null'), 'function'],
      [{ function: {} }, required('string'), 'function', 'name'],
      [{ function: { name: '' } }, tooSmall(1, 'string'), 'function', 'name'],
      [{ function: { name: 'f', description: 5 } }, wrongType('string', 'number'), 'function', 'description'],
      [{ function: { name: 'f', parameters: 'x' } }, wrongType('object', 'string'), 'function', 'parameters'],
      [{ function: { name: 'f', parameters: [] } }, wrongType('object', 'array'), 'function', 'parameters'],
      [{ function: { name: 'f', strict: 'yes' } }, wrongType('boolean', 'string'), 'function', 'strict'],
      [{ name: 5 }, wrongType('string', 'number'), 'name'],
      [{ name: 'f', input_schema: 5 }, wrongType('object', 'number'), 'input_schema'],
    ]),
  )('that is $value is refused', ({ value: tool, issue, inside }) => {
    expect(issuesOf({ tools: [nested, tool] })).toEqual([{ ...issue, path: ['tools', 1, ...inside] }])
  })
})

describe('the tools', () => {
  it.each([null, [], [{ type: 'web_search' }, { type: 'x_search', filters: {} }]])('that are %j are none', tools => {
    const { composition, request } = decoded({ tools, tool_choice: 'auto', parallel_tool_calls: false })
    expect(composition.parameters).toEqual({})
    expect(request.needs).toEqual([{ capability: 'functionCalling', path: ['tool_choice'] }])
  })

  it('lose those that others run', () => {
    expect(parametersOf({ tools: [{ type: 'web_search' }, bare] })).toEqual({ tools: [bare] })
  })

  it.each([
    [{}, 'object'],
    ['x', 'string'],
    [true, 'boolean'],
  ])('that are %j are refused', (tools, received) => {
    expect(issuesOf({ tools })).toEqual([{ ...wrongType('array', received), path: ['tools'] }])
  })

  it('may be called one at a time', () => {
    expect(parametersOf({ tools: [bare], parallel_tool_calls: false })).toEqual({
      tools: [bare],
      parallel_tool_calls: false,
    })
  })
})

describe('the choice among tools', () => {
  const named = { type: 'function', function: { name: 'look' } }
  it.each([
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ type: 'auto' }, 'auto'],
    [{ type: 'none' }, 'none'],
    [{ type: 'required' }, 'required'],
    [{ type: 'any' }, 'required'],
    [named, named],
    [{ type: 'function', name: 'look' }, named],
    [{ type: 'tool', name: 'look' }, named],
    [{ ...named, more: 1, function: { name: 'look', more: 1 } }, named],
  ])('%j is %j', (tool_choice, expected) => {
    expect(parametersOf({ tools: [bare], tool_choice })).toEqual({ tools: [bare], tool_choice: expected })
  })

  it('is none when it is null', () => {
    expect(parametersOf({ tools: [bare], tool_choice: null })).toEqual({ tools: [bare] })
  })

  it.each(
    rowsOf([
      ['any', notOneOf(['auto', 'none', 'required'], 'any')],
      ['', notOneOf(['auto', 'none', 'required'], '')],
      [5, neither(['string', 'object'], 'number')],
      [[], neither(['string', 'object'], 'array')],
      [{ type: 'function' }, required('object'), 'function'],
      [{ type: 'function', function: {} }, required('string'), 'function', 'name'],
      [{ type: 'function', function: { name: '' } }, tooSmall(1, 'string'), 'function', 'name'],
      [{ type: 'tool', name: 5 }, wrongType('string', 'number'), 'function', 'name'],
      [{ type: 5, function: { name: 'f' } }, wrongType('string', 'number'), 'type'],
    ]),
  )('$value is refused', ({ value: tool_choice, issue, inside }) => {
    expect(issuesOf({ tool_choice })).toEqual([{ ...issue, path: ['tool_choice', ...inside] }])
  })

  it('that has nothing to choose from is left to the engine where it matters', () => {
    expect(parametersOf({ tool_choice: 'none' })).toEqual({})
    expect(parametersOf({ tool_choice: 'required' })).toEqual({ tool_choice: 'required' })
  })
})
