import { describe, expect, it } from 'vitest'
import { createFault } from './create-fault.ts'
import { readSseData, readWhole } from './read-answer.ts'
import type { ByteSink, ByteStream } from './types.ts'

/** A body that says what the test makes it say, and notes what it was told. */
class SpokenBody implements ByteStream {
  cancelled = false
  paused = false
  /** What it says while it is being resumed, as a parser does that holds bytes of the last read. */
  held: (() => void)[] = []
  private sink: ByteSink | null = null
  consume(sink: ByteSink): void {
    this.sink = sink
  }
  pause(): void {
    this.paused = true
  }
  resume(): void {
    this.paused = false
    while (!this.paused && this.held.length > 0) this.held.shift()?.()
  }
  cancel(): void {
    this.cancelled = true
  }
  say(text: string): void {
    this.sink?.onBytes(Buffer.from(text))
  }
  end(): void {
    this.sink?.onEnd()
  }
  breakOff(): void {
    this.sink?.onFault(createFault('reset'))
  }
}

const mebibyte = 'x'.repeat(1_048_576)

function listen(body: SpokenBody, signal?: AbortSignal) {
  const events: string[] = []
  const over = (async () => {
    for await (const data of readSseData(body, signal)) events.push(data.toString())
    return 'end'
  })().catch((error: unknown) => error)
  return { events, over }
}

describe('a stream', () => {
  it('is read to its end, and may be read to [DONE], after which its connection is left to end by itself', async () => {
    const [ends, isDone] = [new SpokenBody(), new SpokenBody()]
    const [first, second] = [listen(ends), listen(isDone)]
    ends.say('data: a\n\nda')
    ends.say('ta: b\n\n')
    ends.end()
    isDone.say('data: a\n\ndata: [DONE]\n\ndata: b\n\n')
    expect([await first.over, first.events, ends.cancelled]).toEqual(['end', ['a', 'b'], false])
    expect([await second.over, second.events, isDone.cancelled]).toEqual(['end', ['a'], false])
  })

  it.each([
    ['breaks off', (body: SpokenBody) => body.breakOff(), 'reset'],
    ['breaks a bound of events', (body: SpokenBody) => body.say(`data: ${mebibyte}`), 'bad_answer'],
    [
      'is too long',
      (body: SpokenBody) => {
        for (let count = 0; count < 33; count += 1) body.say(`: ${mebibyte.slice(2)}`)
      },
      'bad_answer',
    ],
  ])('that %s gives what came before, then the fault', async (_, harm, kind) => {
    const body = new SpokenBody()
    const { events, over } = listen(body)
    body.say('data: a\n\n')
    harm(body)
    expect(await over).toMatchObject({ kind })
    expect([events, body.cancelled]).toEqual([['a'], true])
  })

  it('ends with its request', async () => {
    const [body, request] = [new SpokenBody(), new AbortController()]
    const { over } = listen(body, request.signal)
    request.abort()
    expect([await over, body.cancelled]).toEqual([expect.objectContaining({ kind: 'aborted' }), true])
  })

  it('is cancelled by whoever stops to read it', async () => {
    const body = new SpokenBody()
    const reading = readSseData(body)
    const first = reading.next()
    body.say('data: a\n\ndata: b\n\n')
    expect(String((await first).value)).toBe('a')
    await reading.return(undefined)
    expect(body.cancelled).toBe(true)
  })

  it('is paused while much of it waits to be read', async () => {
    const body = new SpokenBody()
    const reading = readSseData(body)
    const first = reading.next()
    for (const piece of ['a', 'b']) body.say(`data: ${piece}${'x'.repeat(200_000)}\n\n`)
    expect(body.paused).toBe(true)
    await first
    await reading.next()
    const third = reading.next()
    expect(body.paused).toBe(false)
    body.end()
    expect((await third).done).toBe(true)
  })

  it.each([
    ['many events, each of which pauses it again', null, (body: SpokenBody) => body.end(), 'end'],
    ['its end', 'a', (body: SpokenBody) => body.end(), 'end'],
    ['its fault', 'a', (body: SpokenBody) => body.breakOff(), expect.objectContaining({ kind: 'reset' })],
    [
      'more than is taken',
      'a',
      (body: SpokenBody) => {
        for (let count = 0; count < 33; count += 1) body.say(`: ${mebibyte.slice(2)}`)
      },
      expect.objectContaining({ kind: 'bad_answer' }),
    ],
  ])('misses nothing of what comes while it is being resumed: %s', async (_, only, close, end) => {
    const body = new SpokenBody()
    const expected = only === null ? ['a', 'b', 'c'].map(piece => piece + 'x'.repeat(300_000)) : [only]
    body.held = [...expected.map(data => () => body.say(`data: ${data}\n\n`)), () => close(body)]
    const { events, over } = listen(body)
    expect(await over).toEqual(end)
    expect(events).toEqual(expected)
  })
})

describe('a whole answer', () => {
  it('is all of its bytes', async () => {
    const body = new SpokenBody()
    const whole = readWhole(body)
    for (const piece of ['{"a', '":1}']) body.say(piece)
    body.end()
    expect(String(await whole)).toBe('{"a":1}')
  })

  it('that breaks off, is too long, or is not wanted any more is a fault', async () => {
    const [broken, long, unwanted] = [new SpokenBody(), new SpokenBody(), new SpokenBody()]
    const request = new AbortController()
    const wholes = [readWhole(broken), readWhole(long), readWhole(unwanted, request.signal)]
    broken.breakOff()
    for (let count = 0; count < 33; count += 1) long.say(mebibyte)
    request.abort()
    const kinds = (await Promise.allSettled(wholes)).map(result => result.status === 'rejected' && result.reason.kind)
    expect([kinds, long.cancelled]).toEqual([['reset', 'bad_answer', 'aborted'], true])
  })
})
