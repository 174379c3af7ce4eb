import { describe, expect, it } from 'vitest'
import { hello, issuesOf, messagesOf } from '../../../../../test/support/venice/decode-body.ts'
import {
  neither,
  noForm,
  type Refusal,
  required,
  rowsOf,
  tooSmall,
  wrongType,
} from '../../../../../test/support/venice/expected-issues.ts'

const text = { type: 'text', text: 'x' }
const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const seen = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
const use = { type: 'tool_use', id: 'u1', name: 'look', input: { at: ['日本', null] } }
const used = { id: 'u1', type: 'function', function: { name: 'look', arguments: '{"at":["日本",null]}' } }
const result = { type: 'tool_result', tool_use_id: 'u1', content: 'fine' }
const answered = { role: 'tool', tool_call_id: 'u1', content: 'fine' }

function expectRefused(role: string, [block, issue, ...inside]: Refusal): void {
  const messages = [hello, { role, content: [text, block] }]
  expect(issuesOf({ messages })).toEqual([{ ...issue, path: ['messages', 1, 'content', 1, ...inside] }])
}

describe('a tool_use block', () => {
  it('becomes a call beside what the assistant says', () => {
    const [, turn] = messagesOf([hello, { role: 'assistant', content: [text, use] }])
    expect(turn).toEqual({ role: 'assistant', content: [text], tool_calls: [used] })
  })

  it('may stand alone, and behind calls in the other form', () => {
    const turn = { role: 'assistant', content: [use], tool_calls: [{ ...used, id: 'u0' }] }
    expect(messagesOf([hello, turn])[1]).toEqual({ ...turn, content: null, tool_calls: [{ ...used, id: 'u0' }, used] })
  })

  it.each([undefined, null, {}])('with the input %j calls without arguments', input => {
    const turn = messagesOf([hello, { role: 'assistant', content: [{ ...use, input }] }])[1]
    expect(turn).toMatchObject({ tool_calls: [{ function: { name: 'look', arguments: '{}' } }] })
  })

  it.each(
    rowsOf([
      [{ ...use, id: undefined }, required('string'), 'id'],
      [{ ...use, id: 5 }, wrongType('string', 'number'), 'id'],
      [{ ...use, name: '' }, tooSmall(1, 'string'), 'name'],
      [{ ...use, input: '{}' }, wrongType('object', 'string'), 'input'],
      [{ ...use, input: [] }, wrongType('object', 'array'), 'input'],
    ]),
  )('that is $value is refused', ({ value, issue, inside }) => expectRefused('assistant', [value, issue, ...inside]))

  it('is the assistant’s alone', () => {
    expectRefused('user', [use, noForm(['text', 'image_url', 'input_audio', 'video_url', 'file']), 'type'])
  })
})

describe('a tool_result block', () => {
  it.each([
    ['fine', 'fine'],
    [
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: '' },
        { type: 'text', text: 'b' },
      ],
      'a\n\nb',
    ],
    [[], ''],
    [undefined, ''],
    [null, ''],
  ])('with the content %j becomes a message of the tool', (content, words) => {
    const messages = messagesOf([hello, { role: 'user', content: [{ ...result, content, is_error: true }] }])
    expect(messages).toEqual([hello, { ...answered, content: words }])
  })

  it('comes before what the user says in the same message', () => {
    const other = { ...result, tool_use_id: 'u2' }
    const messages = messagesOf([hello, { role: 'user', name: 'Ann', content: [text, result, text, other] }])
    expect(messages.slice(1)).toEqual([
      answered,
      { ...answered, tool_call_id: 'u2' },
      { role: 'user', name: 'Ann', content: [text, text] },
    ])
  })

  it('hands its images to the user’s message behind it', () => {
    const content = [{ type: 'text', text: 'see' }, picture]
    const messages = messagesOf([hello, { role: 'user', content: [{ ...result, content }] }])
    expect(messages.slice(1)).toEqual([
      { ...answered, content: 'see' },
      { role: 'user', content: [seen] },
    ])
  })

  it.each(
    rowsOf([
      [{ ...result, tool_use_id: undefined }, required('string'), 'tool_use_id'],
      [{ ...result, content: 5 }, neither(['string', 'array'], 'number'), 'content'],
      [{ ...result, content: ['x'] }, wrongType('object', 'string'), 'content', 0],
      [{ ...result, content: [{ type: 'document' }] }, noForm(['text', 'image']), 'content', 0, 'type'],
      [{ ...result, content: [{ type: 'text' }] }, required('string'), 'content', 0, 'text'],
    ]),
  )('that is $value is refused', ({ value, issue, inside }) => expectRefused('user', [value, issue, ...inside]))

  it('tells where a bad image stood', () => {
    const bad = { ...result, content: [{ ...picture, source: { ...picture.source, media_type: 'image/gif' } }] }
    const path = ['messages', 0, 'content', 0, 'content', 0, 'image_url', 'url']
    expect(issuesOf({ messages: [{ role: 'user', content: [bad] }] })).toMatchObject([{ code: 'custom', path }])
  })

  it('is the user’s alone', () => {
    expectRefused('assistant', [result, noForm(['text']), 'type'])
  })
})
