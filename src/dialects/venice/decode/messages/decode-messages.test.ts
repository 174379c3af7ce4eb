import { describe, expect, it } from 'vitest'
import { hello, issuesOf, messagesOf } from '../../../../../test/support/venice/decode-body.ts'
import {
  neither,
  noForm,
  type Refusal,
  required,
  rowsOf,
  saying,
  tooBig,
  tooSmall,
  wrongType,
} from '../../../../../test/support/venice/expected-issues.ts'

const roles = ['system', 'developer', 'user', 'assistant', 'tool']
const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }
const text = { type: 'text', text: 'x' }

/** The one thing that is wrong with a message that stands behind another. */
function expectRefused([message, issue, ...inside]: Refusal): void {
  expect(issuesOf({ messages: [hello, message] })).toEqual([{ ...issue, path: ['messages', 1, ...inside] }])
}

describe('the list of messages', () => {
  it.each([
    [undefined, required('array')],
    [null, required('array')],
    ['Hello', wrongType('array', 'string')],
    [{ role: 'user', content: 'x' }, wrongType('array', 'object')],
    [[], tooSmall(1, 'array')],
    [[{ role: 'assistant', content: '' }], tooSmall(1, 'array')],
  ])('that is %j is refused', (messages, issue) => {
    expect(issuesOf({ messages })).toEqual([{ ...issue, path: ['messages'] }])
  })
})

describe('a message', () => {
  it.each(
    rowsOf([
      ['Hello', wrongType('object', 'string')],
      [null, wrongType('object', 'null')],
      [[], wrongType('object', 'array')],
      [{}, noForm(roles), 'role'],
      [{ role: 'function', content: 'x', name: 'f' }, noForm(roles), 'role'],
      [{ role: 'constructor', content: 'x' }, noForm(roles), 'role'],
      [{ role: 5, content: 'x' }, noForm(roles), 'role'],
    ]),
  )('that is $value is refused', ({ value, issue, inside }) => expectRefused([value, issue, ...inside]))

  it.each(['system', 'developer', 'user'])('of %s is a text or parts, with a name', role => {
    const messages = [
      { role, content: '' },
      { role, content: 'x \ud800 日本語 \u{1f600}', name: 'Ann' },
      { role, content: [text, text], name: null },
    ]
    const [first, second, third] = messagesOf(messages)
    expect([first, second]).toEqual(messages.slice(0, 2))
    expect(third).toEqual({ role, content: [text, text] })
    expect(messagesOf([hello, { role, content: [] }])[1]).toEqual({ role, content: '' })
  })

  it.each(['system', 'developer', 'user'])('of %s has content of its kind', role => {
    const kinds = ['string', 'array']
    expectRefused([{ role }, { ...neither(kinds, 'x'), received: 'undefined', message: 'Required' }, 'content'])
    expectRefused([{ role, content: null }, neither(kinds, 'null'), 'content'])
    expectRefused([{ role, content: 5 }, neither(kinds, 'number'), 'content'])
    expectRefused([{ role, content: {} }, neither(kinds, 'object'), 'content'])
    expectRefused([{ role, content: 'x', name: 5 }, wrongType('string', 'number'), 'name'])
  })

  it('loses what this surface does not know', () => {
    const messages = [{ ...hello, refusal: null, weight: 1, of_tomorrow: {}, constructor: 1 }]
    expect(messagesOf(messages)).toEqual([hello])
  })
})

describe('a message of a tool', () => {
  const result = { role: 'tool', tool_call_id: 'c1', content: '' }
  it('is text that answers a call', () => {
    expect(messagesOf([{ ...result, name: 'f', reasoning_content: null, tool_calls: null }])).toEqual([
      { ...result, name: 'f' },
    ])
  })

  it.each(
    rowsOf([
      [{ ...result, content: [text] }, wrongType('string', 'array'), 'content'],
      [{ ...result, content: null }, wrongType('string', 'null'), 'content'],
      [{ role: 'tool', content: 'x' }, required('string'), 'tool_call_id'],
      [{ role: 'tool', tool_call_id: 'c1' }, required('string'), 'content'],
      [{ ...result, tool_calls: {} }, wrongType('array', 'object'), 'tool_calls'],
    ]),
  )('that is $value is refused', ({ value, issue, inside }) => expectRefused([value, issue, ...inside]))
})

describe('a message of the assistant', () => {
  const role = 'assistant'
  const details = [
    { type: 'reasoning.text', text: 't', signature: 's', index: 0, id: null, format: 'x', more: { a: [] } },
  ]

  it.each([
    [
      { role, content: 'x' },
      { role, content: 'x' },
    ],
    [
      { role, content: [text] },
      { role, content: [text] },
    ],
    [
      { role, content: 'x', tool_calls: [] },
      { role, content: 'x' },
    ],
    [
      { role, tool_calls: [call] },
      { role, content: null, tool_calls: [call] },
    ],
    [
      { role, content: null, tool_calls: [call] },
      { role, content: null, tool_calls: [call] },
    ],
    [
      { role, content: '', tool_calls: [call] },
      { role, content: '', tool_calls: [call] },
    ],
    [
      { role, content: [], tool_calls: [call] },
      { role, content: null, tool_calls: [call] },
    ],
    [
      { role, content: 'x', name: 'a', reasoning_content: 'r' },
      { role, content: 'x', name: 'a', reasoning_content: 'r' },
    ],
    [
      { role, content: 'x', reasoning_content: null, refusal: null, annotations: [] },
      { role, content: 'x' },
    ],
  ])('%j reaches the engine as %j', (message, expected) => {
    expect(messagesOf([hello, message])[1]).toEqual(expected)
  })

  it('carries reasoning, signatures and calls back untouched', () => {
    const tool_calls = [{ ...call, extra_content: { google: { thought_signature: 'g' } } }, 7, null, 'x']
    const message = { role, content: 'x', reasoning_details: details, thought_signature: 's', tool_calls }
    expect(messagesOf([hello, message])[1]).toEqual(message)
  })

  it.each(
    rowsOf([
      [{ role, content: 5 }, neither(['string', 'array', 'null'], 'number'), 'content'],
      [{ role, content: 'x', name: 1 }, wrongType('string', 'number'), 'name'],
      [{ role, content: 'x', reasoning_content: [] }, wrongType('string', 'array'), 'reasoning_content'],
      [{ role, content: 'x', thought_signature: {} }, wrongType('string', 'object'), 'thought_signature'],
      [{ role, content: 'x', tool_calls: 'f' }, wrongType('array', 'string'), 'tool_calls'],
      [{ role, content: 'x', reasoning_details: {} }, wrongType('array', 'object'), 'reasoning_details'],
      [{ role, content: 'x', reasoning_details: ['r'] }, wrongType('object', 'string'), 'reasoning_details', 0],
      [{ role, content: 'x', reasoning_details: [{}] }, required('string'), 'reasoning_details', 0, 'type'],
      [
        { role, content: 'x', reasoning_details: [{ type: 't', index: '0' }] },
        wrongType('number', 'string'),
        'reasoning_details',
        0,
        'index',
      ],
      [
        { role, content: 'x', reasoning_details: Array(1_001).fill({ type: 't' }) },
        tooBig(1_000, 'array'),
        'reasoning_details',
      ],
      [
        { role, content: [{ type: 'image_url' }] },
        saying('Only user messages may hold image_url parts'),
        'content',
        0,
        'type',
      ],
    ]),
  )('that is $value is refused', ({ value, issue, inside }) => expectRefused([value, issue, ...inside]))
})

describe('a turn in which the assistant neither said nor called anything', () => {
  it.each([
    {},
    { content: null },
    { content: '' },
    { content: [] },
    { content: null, tool_calls: [] },
    { content: null, tool_calls: null },
    { content: '', reasoning_content: 'r' },
    { content: null, reasoning_details: 'wrong', name: 5 },
  ])('such as %j is dropped, and others keep their place', turn => {
    const messages = [{ role: 'assistant', ...turn }, hello]
    expect(messagesOf(messages)).toEqual([hello])
    expect(issuesOf({ messages: [...messages, { role: 'user' }] })).toMatchObject([
      { path: ['messages', 2, 'content'] },
    ])
  })
})
