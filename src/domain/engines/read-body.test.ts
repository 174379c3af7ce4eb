import { describe, expect, it } from 'vitest'
import { FakeTime } from '../../../test/support/fake-time.ts'
import { createFault } from './create-fault.ts'
import { readBody } from './read-body.ts'
import type { ByteSink, ByteStream } from './types.ts'

/** A body that says what the test makes it say. */
class SpokenBody implements ByteStream {
  cancelled = false
  sink: ByteSink | undefined
  consume(sink: ByteSink): void {
    this.sink = sink
  }
  pause(): void {
    throw new Error('nobody pauses a small body')
  }
  resume(): void {
    throw new Error('nobody pauses a small body')
  }
  cancel(): void {
    this.cancelled = true
  }
}

function read() {
  const time = new FakeTime()
  const body = new SpokenBody()
  const text = readBody(body, { bytesMax: 10, waitMs: 5_000, timers: time.timers }).then(String)
  return { time, body, text, say: (piece: string) => body.sink?.onBytes(Buffer.from(piece)) }
}

describe('readBody', () => {
  it('gives the whole of a small body and leaves no timer behind', async () => {
    const { body, text, say, time } = read()
    say('abc')
    say('def')
    body.sink?.onEnd()
    expect([await text, body.cancelled, time.waiting]).toEqual(['abcdef', false, 0])
  })

  it('stops at the bound', async () => {
    const { body, text, say, time } = read()
    say('abcdef')
    say('ghijklmnop')
    expect([await text, body.cancelled, time.waiting]).toEqual(['abcdefghij', true, 0])
  })

  it('gives what came when the rest does not come in time', async () => {
    const { body, text, say, time } = read()
    say('abc')
    await time.advance(5_000)
    expect([await text, body.cancelled]).toEqual(['abc', true])
  })

  it('gives what came before a fault', async () => {
    const { body, text, say } = read()
    say('abc')
    body.sink?.onFault(createFault('reset'))
    expect(await text).toBe('abc')
  })
})
