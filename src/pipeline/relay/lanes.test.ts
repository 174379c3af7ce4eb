import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ByteSink, type ByteStream, EngineFault } from '../../domain/engines/types.ts'
import { isJsonObject, type JsonValue, parseJson } from '../../lib/json.ts'
import { guardOrder } from '../transforms/guard-order.ts'
import { chain } from '../transforms/transform.ts'
import { answerNames } from './answer-names.ts'
import { openByteLane } from './byte-lane.ts'
import { openEventLane } from './event-lane.ts'
import { eventsFromSse } from './events-from-sse.ts'
import { Meter } from './meter.ts'
import type { OpenedStream, StreamEnd } from './opened-stream.ts'
import type { StreamWriter } from './stream-writer.ts'

const names = answerNames('chatcmpl-ours', 'venym/public')

/** An engine's byte stream that delivers its pieces one by one, and honours pauses. */
function streamOf(pieces: readonly Buffer[]): ByteStream {
  const queue = [...pieces]
  let sink: ByteSink | null = null
  let paused = false
  let cancelled = false
  const pump = () => {
    while (!paused && !cancelled && sink !== null) {
      const next = queue.shift()
      if (next === undefined) {
        sink.onEnd()
        return
      }
      sink.onBytes(next)
      sink.onReadEnd?.()
    }
  }
  return {
    consume(target) {
      sink = target
      setImmediate(pump)
    },
    pause: () => {
      paused = true
    },
    resume: () => {
      if (!paused) return
      paused = false
      setImmediate(pump)
    },
    cancel: () => {
      cancelled = true
    },
  }
}

function createMeter(): Meter {
  return new Meter({ promptCharacters: 40, promptTokensBound: 1_000, choices: 2, outputLimit: 100 })
}

interface Result {
  readonly chunks: readonly JsonValue[]
  readonly end: StreamEnd['kind']
  readonly usageChunk: JsonValue
  readonly reading: unknown
  readonly finishReason: string | null
}

async function run(opened: OpenedStream, meter: Meter): Promise<Result> {
  const written: Buffer[] = []
  const writer = { write: (bytes: Buffer) => written.push(bytes) > 0 } as unknown as StreamWriter
  const end = await opened.relay(writer, {
    onRead: () => undefined,
    onDrain: () => undefined,
    signal: new AbortController().signal,
  })
  const text = Buffer.concat(written).toString()
  const chunks =
    text === ''
      ? []
      : text
          .trimEnd()
          .split('\n\n')
          .map(event => parseJson(event.slice('data: '.length)))
  const usageChunk = end.kind === 'finished' && end.usageChunk !== null ? parseJson(end.usageChunk.toString()) : null
  const usage = isJsonObject(usageChunk ?? undefined) ? (usageChunk as { usage: JsonValue }).usage : null
  return { chunks, end: end.kind, usageChunk: usage, reading: meter.final(), finishReason: meter.finishReason }
}

async function throughBytes(pieces: readonly Buffer[]): Promise<Result> {
  const meter = createMeter()
  return run(await openByteLane(streamOf(pieces), { names, meter, signal: new AbortController().signal }), meter)
}

async function throughEvents(pieces: readonly Buffer[]): Promise<Result> {
  const meter = createMeter()
  const signal = new AbortController().signal
  return run(
    await openEventLane(eventsFromSse(streamOf(pieces), signal), { names, meter, transform: chain(guardOrder) }),
    meter,
  )
}

const delta = fc.oneof(
  fc.record({ content: fc.string({ unit: 'grapheme' }) }),
  fc.record({ reasoning_content: fc.string() }),
  fc.record({ role: fc.constant('assistant'), content: fc.constant('') }),
  fc.record({ tool_calls: fc.constant([{ index: 0, function: { arguments: '{"a":1}' } }]) }),
)

/** Chunks of two choices, in an engine's own spelling: other order, white space, unknown members, numbers as they are. */
const engineStreams = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), delta), { minLength: 1, maxLength: 12 }),
    fc.boolean(),
    fc.constantFrom('\n\n', '\r\n\r\n', '\r\r'),
    fc.boolean(),
  )
  .map(([pieces, spaced, lineEnd, withUsage]) => {
    const chunk = (body: object) => {
      const text = JSON.stringify({
        choices: [],
        model: 'engine/secret-name',
        id: 'engine-id',
        created: 7,
        'x-extra': 1e21,
        ...body,
      })
      return `data: ${spaced ? text.replaceAll('":', '" : ') : text}${lineEnd}`
    }
    const seen = new Set(pieces.map(([index]) => index))
    const texts = pieces.map(([index, part]) => chunk({ choices: [{ index, delta: part, finish_reason: null }] }))
    const ends = [...seen].map(index => chunk({ choices: [{ index, delta: {}, finish_reason: 'stop' }] }))
    const usage = withUsage
      ? [chunk({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })]
      : []
    return Buffer.from([': hello\n\n', ...texts, ...ends, ...usage, `data: [DONE]${lineEnd}`].join(''))
  })

function cutInto(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const places = [...new Set(cuts.map(cut => cut % bytes.length))].sort((left, right) => left - right)
  return [0, ...places]
    .map((start, index) => bytes.subarray(start, places[index] ?? bytes.length))
    .filter(piece => piece.length > 0)
}

it('both lanes give the caller the same chunks and the meter the same reading, however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(engineStreams, fc.array(fc.nat(), { maxLength: 8 }), async (bytes, cuts) => {
      const pieces = cutInto(bytes, cuts)
      const throughBoth = [await throughBytes(pieces), await throughEvents(pieces)]
      expect(throughBoth[0]).toEqual(throughBoth[1])
      expect(throughBoth[0]?.end).toBe('finished')
      for (const chunk of throughBoth[0]?.chunks ?? [])
        expect(chunk).toMatchObject({ id: 'chatcmpl-ours', model: 'venym/public' })
    }),
    { numRuns: 150 },
  )
})

it("an engine's own name never gets through, whatever it is spelled like", async () => {
  const spellings = [
    '"model":"engine/secret-name"',
    '"mod\\u0065l":"engine/secret-name"',
    '"model":"a","model":"engine/secret-name"',
    '"model" :\t"engine/secret-name"',
  ]
  for (const spelling of spellings) {
    const stream = Buffer.from(
      `data: {"id":"e",${spelling},"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
    )
    const { chunks } = await throughBytes([stream])
    expect(JSON.stringify(chunks)).not.toContain('secret-name')
    expect(chunks).toMatchObject([{ model: 'venym/public' }])
  }
})

it('every byte that is not a name of ours stays as the engine sent it', async () => {
  const stream = Buffer.from(
    'data: {"id":"e", "n":1e-2,"big":12345678901234567890, "model":"m","choices":[{"index":0,"delta":{"content":"\\u00e9"},"finish_reason":"stop"}] }\n\ndata: [DONE]\n\n',
  )
  const written: Buffer[] = []
  const opened = await openByteLane(streamOf([stream]), {
    names,
    meter: createMeter(),
    signal: new AbortController().signal,
  })
  await opened.relay({ write: (bytes: Buffer) => written.push(bytes) > 0 } as unknown as StreamWriter, {
    onRead: () => undefined,
    onDrain: () => undefined,
    signal: new AbortController().signal,
  })
  expect(Buffer.concat(written).toString()).toBe(
    'data: {"id":"chatcmpl-ours", "n":1e-2,"big":12345678901234567890, "model":"venym/public","choices":[{"index":0,"delta":{"content":"\\u00e9"},"finish_reason":"stop"}] }\n\n',
  )
})

it('a stream that ends without a finish reason is a failure, with or without its end mark', async () => {
  const chunk = 'data: {"id":"e","model":"m","choices":[{"index":0,"delta":{"content":"x"}}]}\n\n'
  for (const text of [chunk, `${chunk}data: [DONE]\n\n`])
    expect((await throughBytes([Buffer.from(text)])).end).toBe('fault')
})

it('a finish reason and then a closed connection is a success', async () => {
  const text = 'data: {"id":"e","model":"m","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n'
  expect((await throughBytes([Buffer.from(text)])).end).toBe('finished')
})

it('what fails before its first chunk is a fault of the node', async () => {
  for (const text of ['data: {"error":{"message":"no"}}\n\n', 'data: [DONE]\n\n', 'data: <html>\n\n', '']) {
    await expect(throughBytes([Buffer.from(text)])).rejects.toBeInstanceOf(EngineFault)
  }
})

it('the meter stops an engine at n × limit, whatever the body said', async () => {
  const chunk = 'data: {"id":"e","model":"m","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}\n\n'
  const result = await throughBytes([Buffer.from(chunk.repeat(500))])
  expect(result.end).toBe('over_limit')
  expect(result.chunks).toHaveLength(200)
})
