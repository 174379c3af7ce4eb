import { answer, answerStream } from './answer.ts'
import { type Behaviour, complete, head, payload, reshape, type Step } from './step.ts'
import { event, insertAfter } from './stream-faults.ts'

const BINARY = Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 37 + 11) % 256))
const HTML = '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>\n<body><h1>502</h1></body></html>\n'

/** What can stand in a stream in place of chunks. Each is put on the wire as it is. */
export const garbage = {
  binary: payload('other', BINARY),
  html: payload('other', HTML),
  notJson: event('this is not JSON'),
  truncatedJson: event('{"id":"x","choices":[{"index":0,"delta":{"content":"cut'),
  twoObjects: event('{"a":1}{"b":2}'),
  jsonNull: event('null'),
  jsonNumber: event('42'),
  jsonText: event('"text"'),
  jsonArray: event('[{"choices":[]}]'),
  emptyObject: event('{}'),
  choicesNull: event('{"id":"x","object":"chat.completion.chunk","choices":null}'),
  choicesText: event('{"id":"x","object":"chat.completion.chunk","choices":"none"}'),
  choiceNumber: event('{"id":"x","object":"chat.completion.chunk","choices":[7]}'),
  deltaMissing: event('{"id":"x","object":"chat.completion.chunk","choices":[{"index":0}]}'),
  deltaText: event('{"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":"hello"}]}'),
  contentNumber: event('{"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":5}}]}'),
  indexNegative: event('{"id":"x","object":"chat.completion.chunk","choices":[{"index":-1,"delta":{"content":"x"}}]}'),
  indexHuge: event('{"id":"x","object":"chat.completion.chunk","choices":[{"index":1e15,"delta":{"content":"x"}}]}'),
  protoKey: event('{"__proto__":{"polluted":true},"id":"x","choices":[{"index":0,"delta":{"content":"x"}}]}'),
  noColon: payload('other', 'data\n\nhello world\n\n'),
  otherEvent: payload('other', 'event: error\ndata: {"message":"engine exploded"}\n\n'),
  zeroBytes: payload('other', Buffer.alloc(64)),
  jsonWithoutSse: payload('other', '{"id":"x","object":"chat.completion","choices":[]}\n'),
} satisfies Record<string, Step>

export type Garbage = keyof typeof garbage

/** A stream of this garbage alone, ended like a good one. */
export function garbageStream(kind: Garbage): Behaviour {
  const steps: Step[] = [head(200, { contentType: 'text/event-stream', framing: 'chunked' }), garbage[kind], complete]
  return () => steps
}

/** An ordinary stream with this garbage after some content events. */
export function garbageAfter(chunks: number, kind: Garbage, behaviour: Behaviour = answerStream()): Behaviour {
  return insertAfter(chunks, [garbage[kind]], behaviour)
}

/** Byte sequences that are not UTF-8. */
export const invalidUtf8Bytes = {
  loneContinuation: [0x80],
  overlong: [0xc0, 0xaf],
  truncatedThree: [0xe2, 0x82],
  truncatedFour: [0xf0, 0x9f, 0x98],
  surrogate: [0xed, 0xa0, 0x80],
  beyondUnicode: [0xf4, 0x90, 0x80, 0x80],
  neverValid: [0xff, 0xfe],
} as const

const MARK = '~here~'

/** A correct answer whose text holds these bytes between `a ` and ` z`, in the stream and in the JSON. */
export function invalidUtf8(kind: keyof typeof invalidUtf8Bytes): Behaviour {
  const bytes = Buffer.from(invalidUtf8Bytes[kind])
  const behaviour = answer({ text: ['a ', MARK, ' z'], framing: 'chunked' })
  return reshape(behaviour, function* (steps) {
    for (const step of steps) {
      yield step.kind === 'payload' ? { ...step, bytes: replaceMark(step.bytes, bytes) } : step
    }
  })
}

function replaceMark(bytes: Buffer, replacement: Buffer): Buffer {
  const index = bytes.indexOf(MARK)
  if (index < 0) return bytes
  return Buffer.concat([bytes.subarray(0, index), replacement, bytes.subarray(index + MARK.length)])
}
