import { expect, test } from 'vitest'
import { createStrictSseParser } from './strict-sse.ts'

function parse(text: string | Buffer, size = 1_000_000) {
  const parser = createStrictSseParser()
  const bytes = Buffer.from(text as string)
  for (let start = 0; start < bytes.length; start += size) parser.push(bytes.subarray(start, start + size), start)
  parser.finish()
  return parser
}

test('a well-formed stream has no violations, however it is cut', () => {
  const text = ': hello\n\ndata: {"a":"\u00e4\u{1f600}"}\n\ndata: {"b":\ndata: 1}\n\ndata: [DONE]\n\n'
  for (let size = 1; size <= text.length; size += 1) {
    const { events, comments, violations } = parse(text, size)
    expect(events.map(event => event.data)).toEqual(['{"a":"\u00e4\u{1f600}"}', '{"b":\n1}', '[DONE]'])
    expect(comments).toEqual(['hello'])
    expect(violations).toEqual([])
  }
})

test.each([
  ['data: {}\r\n\r\n', 'carriage return'],
  ['event: x\ndata: {}\n\n', 'unexpected line "event: x"'],
  ['data:{}\n\n', 'unexpected line'],
  ['data: nope\n\n', 'no JSON object'],
  ['data: [1]\n\n', 'no JSON object'],
  ['data: [DONE]\n\ndata: {}\n\n', 'after [DONE]'],
  ['data: {}\n', 'no blank line'],
  ['data: {', 'no blank line'],
  ['\uFEFFdata: {}\n\n', 'unexpected line'],
])('%j is a violation', (text, expected) => {
  expect(parse(text).violations.join('\n')).toContain(expected)
})

test('bytes that are not UTF-8 are a violation', () => {
  const bytes = Buffer.concat([Buffer.from('data: {"a":"'), Buffer.from([0xff]), Buffer.from('"}\n\n')])
  expect(parse(bytes).violations[0]).toContain('not UTF-8')
})
