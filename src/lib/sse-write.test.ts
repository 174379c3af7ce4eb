import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSseSplitter, sseBounds } from './sse-split.ts'
import { encodeSseData, sseComment, sseDone } from './sse-write.ts'

function readBack(bytes: Buffer): { events: string[]; comments: string[] } {
  const read = { events: [] as string[], comments: [] as string[] }
  const splitter = createSseSplitter({
    ...sseBounds,
    onEvent: data => read.events.push(data.toString()),
    onComment: text => read.comments.push(text.toString()),
    onFault: fault => expect.unreachable(fault),
  })
  splitter.push(bytes)
  return read
}

describe('encodeSseData', () => {
  it('writes one data line and an empty line', () => {
    expect(encodeSseData('{"a":"é"}').toString()).toBe('data: {"a":"é"}\n\n')
    expect(encodeSseData(Buffer.from('x')).toString()).toBe('data: x\n\n')
    expect(sseDone.toString()).toBe('data: [DONE]\n\n')
  })

  it('writes one event whatever the payload holds, and every line break arrives as a line feed', () => {
    const text = fc.array(fc.constantFrom('a', '\n', '\r', '\r\n', ': x', 'data: ', 'é'), { minLength: 1 })
    fc.assert(
      fc.property(text, pieces => {
        const payload = pieces.join('')
        expect(readBack(encodeSseData(payload)).events).toEqual([payload.replace(/\r\n|\r/g, '\n')])
        expect(encodeSseData(Buffer.from(payload))).toEqual(encodeSseData(payload))
      }),
    )
  })
})

describe('sseComment', () => {
  it('writes a comment that no line break can turn into an event', () => {
    expect(sseComment('keep-alive').toString()).toBe(': keep-alive\n\n')
    expect(readBack(sseComment('a\n\r\ndata: b'))).toEqual({ events: [], comments: [' a data: b'] })
  })
})
