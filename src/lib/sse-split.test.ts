import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSseSplitter, type SseBounds, sseBounds } from './sse-split.ts'

type Delivery = ['event' | 'comment' | 'fault', string]

/** Bytes are compared as Latin-1 text, so that invalid UTF-8 counts too. */
function splitAll(chunks: readonly Buffer[], bounds: SseBounds = sseBounds): Delivery[] {
  const deliveries: Delivery[] = []
  const splitter = createSseSplitter({
    ...bounds,
    onEvent: data => deliveries.push(['event', data.toString('latin1')]),
    onComment: text => deliveries.push(['comment', text.toString('latin1')]),
    onFault: fault => deliveries.push(['fault', fault]),
  })
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return deliveries
}

/** The same rules without any care for speed: the whole stream at hand, one line after the other. */
function referenceSplit(stream: Buffer, bounds: SseBounds): Delivery[] {
  const deliveries: Delivery[] = []
  let event: string[] = []
  const dispatch = (): void => {
    const dataLines = event.filter(line => /^data(:|$)/.test(line))
    const data = dataLines.map(line => line.replace(/^data:? ?/, '')).join('\n')
    if (data !== '') deliveries.push(['event', data])
    event = []
  }
  const lines = stream.toString('latin1').split(/\r\n|\r|\n/)
  for (const [index, raw] of lines.entries()) {
    if (raw.length > bounds.lineBytesMax) return [...deliveries, ['fault', 'line_too_long']]
    const line = index === 0 ? raw.replace(/^\xef\xbb\xbf/, '') : raw
    if (line === '') {
      if (index < lines.length - 1) dispatch()
      continue
    }
    if (event.length > 0 || !line.startsWith(':')) event.push(line)
    if (event.length > bounds.linesPerEventMax) return [...deliveries, ['fault', 'too_many_lines']]
    if (event.join('').length > bounds.eventBytesMax) return [...deliveries, ['fault', 'event_too_long']]
    if (line.startsWith(':')) deliveries.push(['comment', line.slice(1)])
    else if (!/^[\w-]+(:|$)/.test(line)) return [...deliveries, ['fault', 'no_field']]
  }
  dispatch()
  return deliveries
}

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('\n', '\n\n', '\r', '\r\n', '\r\n\r\n') },
  {
    weight: 3,
    arbitrary: fc.constantFrom('data: {"a":1}', 'data:x', 'data: ', 'data:', 'data', 'data:  y', 'data: [DONE]'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('data: {"id":"c"}\n\n', ': keep-alive', 'event: x', 'id:1', 'database: 1', ':'),
  },
  { weight: 1, arbitrary: fc.constantFrom('\xef\xbb\xbf', '\xff', '\x00', 'é', ' ') },
)
const stream = fc.array(piece, { maxLength: 14 }).map(pieces => Buffer.from(pieces.join(''), 'latin1'))
const narrow: SseBounds = { lineBytesMax: 14, eventBytesMax: 24, linesPerEventMax: 3 }

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const borders = [0, ...cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return borders.slice(1).map((border, index) => bytes.subarray(borders[index], border))
}

describe('createSseSplitter', () => {
  it.each([
    ['wide', sseBounds],
    ['narrow', narrow],
  ])('delivers what the reference delivers, for any cuts, under %s bounds', (_name, bounds) => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 8 }), (bytes, cuts) => {
        const expected = referenceSplit(bytes, bounds)
        expect(splitAll([bytes], bounds)).toEqual(expected)
        expect(splitAll(cutAt(bytes, cuts), bounds)).toEqual(expected)
        expect(
          splitAll(
            [...bytes].map(byte => Buffer.from([byte])),
            bounds,
          ),
        ).toEqual(expected)
      }),
      { numRuns: 400 },
    )
  })

  it('delivers the same for a cut at every byte', () => {
    const bytes = Buffer.from(
      '\uFEFFdata: {"é":1}\r\n\r\n: hi\ndata:a\rdata: b\r\revent: x\n\ndata: [DONE]\n\ndata: tail',
    )
    const expected = splitAll([bytes])
    expect(expected.map(([kind]) => kind)).toEqual(['event', 'comment', 'event', 'event', 'event'])
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(splitAll([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected)
    }
  })

  it.each([
    ['one line', 'data: a\n\n', ['a']],
    ['no space', 'data:a\n\n', ['a']],
    ['two spaces', 'data:  a\n\n', [' a']],
    ['several lines', 'data: a\ndata:\ndata: b\n\n', ['a\n\nb']],
    ['other fields', 'event: x\nid: 1\ndata: a\nretry: 5\n\n', ['a']],
    ['empty events', '\n\ndata:\n\ndata\n\nevent: x\n\ndata: a\n\n', ['a']],
    ['an unterminated event', 'data: a\n\ndata: b\n', ['a', 'b']],
    ['an unterminated line', 'data: a\n\ndata: b', ['a', 'b']],
    ['a byte order mark', '\uFEFFdata: a\n\n', ['a']],
  ])('understands %s', (_name, text, expected) => {
    expect(splitAll([Buffer.from(text)])).toEqual(expected.map(data => ['event', data]))
  })

  it.each([
    ['a second byte order mark', '\uFEFF\uFEFFdata: a\n\n', []],
    ['a byte order mark further on', 'data: a\n\n\uFEFFdata: b\n\n', ['a']],
    ['HTML', 'data: a\n\n<!DOCTYPE html>\n\ndata: b\n\n', ['a']],
    ['JSON', '{"error":"no"}\n', []],
    ['bytes that run into the next event', 'data: a\n\n\u0000\u0001data: b\n\n', ['a']],
  ])('gives up at a line that is no field: %s', (_name, text, expected) => {
    const events = expected.map(data => ['event', data])
    expect(splitAll([Buffer.from(text)])).toEqual([...events, ['fault', 'no_field']])
  })

  it('delivers an event as soon as its empty line is there', () => {
    const seen: string[] = []
    const splitter = createSseSplitter({
      ...sseBounds,
      onEvent: data => seen.push(data.toString()),
      onFault: fault => expect.unreachable(fault),
    })
    splitter.push(Buffer.from('data: a\r\n\r'))
    expect(seen).toEqual(['a'])
    splitter.push(Buffer.from('\ndata: b\n\n'))
    expect(seen).toEqual(['a', 'b'])
  })

  it('gives views of the chunk, and says when the usual bytes stand around them', () => {
    const chunk = Buffer.from('data: a\n\ndata:b\n\ndata: c\r\n\r\nid: 1\ndata: d\n\ndata: e\n\n')
    const plain: string[] = []
    const splitter = createSseSplitter({
      ...sseBounds,
      onFault: fault => expect.unreachable(fault),
      onEvent: (data, isPlain) => {
        expect(data.buffer).toBe(chunk.buffer)
        if (!isPlain) return
        const at = data.byteOffset - chunk.byteOffset
        expect(chunk.toString('utf8', at - 6, at + data.length + 2)).toBe(`data: ${data.toString()}\n\n`)
        plain.push(data.toString())
      },
    })
    splitter.push(chunk)
    expect(plain).toEqual(['a', 'e'])
  })
})

describe('the bounds of createSseSplitter', () => {
  it('cut an endless line at the bound, however it arrives', () => {
    const megabyte = Buffer.alloc(1_048_576, 'a')
    expect(splitAll([Buffer.from('data: a\n\n'), megabyte, Buffer.from('a')])).toEqual([
      ['event', 'a'],
      ['fault', 'line_too_long'],
    ])
    expect(splitAll([Buffer.from('data: x'), megabyte])).toEqual([['fault', 'line_too_long']])
    expect(splitAll([Buffer.concat([megabyte, Buffer.from('a\n\n')])])).toEqual([['fault', 'line_too_long']])
    expect(splitAll([megabyte, Buffer.from('\n\ndata: a\n\n')])).toEqual([['event', 'a']])
  })

  it('cut an event of too many bytes or lines, ignored and empty lines included', () => {
    const line = Buffer.from(`data: ${'a'.repeat(1_000_000)}\n`)
    expect(splitAll([line, line, line, line, Buffer.from('\n')])[0]?.[0]).toBe('event')
    expect(splitAll([line, line, line, line, line])).toEqual([['fault', 'event_too_long']])
    expect(splitAll([Buffer.from(`data: a\n${'data:\n'.repeat(999)}\n`)])[0]?.[0]).toBe('event')
    for (const filler of ['data:\n', 'data\n', 'id:1\n', ':\n']) {
      const delivered = splitAll([Buffer.from(`data: a\n${filler.repeat(1_000)}\n`)])
      expect(delivered.filter(([kind]) => kind !== 'comment')).toEqual([['fault', 'too_many_lines']])
    }
  })

  it('do not count comments between events, however many keep a slow stream open', () => {
    expect(splitAll([Buffer.from(`${': wait\n'.repeat(5_000)}data: a\n\n`)]).at(-1)).toEqual(['event', 'a'])
  })

  it('end the delivery: one fault, and nothing after it', () => {
    const text = `data: ok\n\n${'data: a\n'.repeat(1_001)}\ndata: late\n\n`
    expect(splitAll([Buffer.from(text), Buffer.from('data: later\n\n')])).toEqual([
      ['event', 'ok'],
      ['fault', 'too_many_lines'],
    ])
  })

  it('deliver nothing after the end', () => {
    const seen: string[] = []
    const splitter = createSseSplitter({
      ...sseBounds,
      onEvent: data => seen.push(data.toString()),
      onFault: fault => expect.unreachable(fault),
    })
    splitter.push(Buffer.from('data: a'))
    splitter.end()
    splitter.push(Buffer.from('data: b\n\n'))
    splitter.end()
    expect(seen).toEqual(['a'])
  })

  it('take a line that drips in byte by byte in linear time', () => {
    const byte = Buffer.from('a')
    const chunks = [Buffer.from('data: '), ...Array.from({ length: 200_000 }, () => byte), Buffer.from('\n\n')]
    expect(splitAll(chunks)).toEqual([['event', 'a'.repeat(200_000)]])
  })
})
