import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { Expectation } from '../../bench/answer-check.ts'
import {
  burstAnswer,
  engineModel,
  eventsPerStream,
  jsonAnswer,
  publicModel,
  streamChunks,
} from '../../bench/answers.ts'
import { createHttpReader } from '../../bench/http-reader.ts'
import { type LoadResult, type LoadSpec, runLoad } from '../../bench/load.ts'
import { createMockEngine } from '../../bench/mock-engine.ts'
import { readProcessTree } from '../../bench/process-cpu.ts'
import { requestBody } from '../../bench/request-body.ts'
import { isMissing } from '../support/missing.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

describe('the reader of the bench', () => {
  test('reads the same messages however the bytes are cut', () => {
    const wire = Buffer.concat([jsonAnswer, burstAnswer, jsonAnswer])
    const whole = readAll([wire])
    expect(whole.map(({ head }) => head.split('\r\n')[0])).toEqual(Array(3).fill('HTTP/1.1 200 OK'))
    expect(whole[0]?.body.length).toBe(2_048)
    expect(whole[1]?.body.indexOf('\n\n')).toBe(198)
    expect(whole[1]?.body.endsWith('data: [DONE]\n\n')).toBe(true)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: wire.length - 1 }), { maxLength: 40 }), cuts => {
        expect(readAll(cutAt(wire, cuts))).toEqual(whole)
      }),
      { numRuns: 50 },
    )
    expect(readAll(cutAt(wire, Array.from(wire.keys()).slice(1)))).toEqual(whole)
  })

  test.each([
    ['a chunk without a size', 'zz\r\n'],
    ['a chunk that is longer than it said', '2\r\nabcd\r\n0\r\n\r\n'],
  ])('refuses %s', (_name, body) => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
    expect(() => readAll([Buffer.from(head + body)])).toThrow()
  })
})

describe('the load runner', () => {
  test('counts right JSON answers and checks a sample of them in full', async () => {
    const result = await load(createMockEngine(), { answer: 'json', model: engineModel, cost: false }, 'json')
    expect(result.reasons).toEqual([])
    expect(result.answers).toBeGreaterThan(100)
    expect(result.checked).toBeGreaterThan(0)
    expect(result.latency.p99).toBeGreaterThanOrEqual(result.latency.p50)
  })

  test('counts every event of paced streams and the gap between them', async () => {
    const result = await load(createMockEngine(), { answer: 'stream', model: engineModel, cost: false }, 'paced-10', {
      countEvents: true,
      connections: 4,
    })
    expect(result.reasons).toEqual([])
    expect(result.events).toBeGreaterThan(40)
    expect(result.gap.p50).toBeGreaterThan(5)
    expect(result.open).toBe(4)
  })

  test('keeps a fixed rate whatever the answers take', async () => {
    const result = await load(createMockEngine(), { answer: 'json', model: engineModel, cost: false }, 'json', {
      ratePerSecond: 200,
      connections: 4,
    })
    expect(result.reasons).toEqual([])
    expect(result.answers / result.seconds).toBeGreaterThan(100)
    expect(result.answers / result.seconds).toBeLessThan(300)
  })

  test('ends the window when it has counted as many answers as it may', async () => {
    const result = await load(createMockEngine(), { answer: 'json', model: engineModel, cost: false }, 'json', {
      maxAnswers: 10,
    })
    expect(result.answers).toBe(10)
  })

  test.each([
    ['the engine model leaks', 'json', { answer: 'json', model: publicModel, cost: false }, 'the model is'],
    [
      'the engine model leaks in a stream',
      'burst',
      { answer: 'stream', model: publicModel, cost: false },
      'the model is',
    ],
    ['a billed answer has no cost', 'json', { answer: 'json', model: engineModel, cost: true }, 'usage.cost'],
    ['a billed stream has no cost', 'burst', { answer: 'stream', model: engineModel, cost: true }, 'usage.cost'],
    ['JSON comes instead of a stream', 'json', { answer: 'stream', model: engineModel, cost: false }, 'fewer than'],
  ] as const)('calls a run void when %s', async (_name, mode, expectation, reason) => {
    const result = await load(createMockEngine(), expectation, mode)
    expect(result.faults).toBeGreaterThan(0)
    expect(result.reasons.join()).toContain(reason)
  })

  test.each([
    ['the status is not 200', jsonAnswer.toString().replace('200 OK', '503 Service Unavailable'), '503'],
    ['an answer is cut', jsonAnswer.toString().slice(0, 300), 'closed before'],
    ['a stream has no [DONE]', burstAnswer.toString().replace('e\r\ndata: [DONE]\n\n\r\n', ''), '[DONE]'],
    [
      'an event of a stream is missing',
      burstAnswer.toString().replace(streamChunks[0]?.toString() ?? '', ''),
      `instead of ${eventsPerStream}`,
    ],
  ])('calls a run void when %s', async (_name, answer, reason) => {
    const isStream = answer.includes('text/event-stream')
    const result = await load(createFixedServer(answer), {
      answer: isStream ? 'stream' : 'json',
      model: engineModel,
      cost: false,
    })
    expect(result.faults).toBeGreaterThan(0)
    expect(result.reasons.join()).toContain(reason)
  })
})

describe('the process accounting', () => {
  test.skipIf(isMissing(process.platform === 'linux', 'only Linux counts the processor time of children'))(
    'counts the CPU of a process and of its children',
    async () => {
      const burn = 'const end = Date.now() + 400; while (Date.now() < end);'
      const script = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(burn)}]); setTimeout(() => {}, 3000)`
      const parent = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
      const during = await waitFor(() => {
        const use = readProcessTree(parent.pid ?? 0)
        return use !== null && use.processes === 2 && use.cpuMicros > 100_000 ? use : null
      })
      const after = await waitFor(() => {
        const use = readProcessTree(parent.pid ?? 0)
        return use !== null && use.processes === 1 ? use : null
      })
      parent.kill('SIGKILL')
      expect(during.rssBytes).toBeGreaterThan(20_000_000)
      expect(after.cpuMicros).toBeGreaterThanOrEqual(during.cpuMicros)
    },
  )

  test('knows nothing of a process that does not exist', () => {
    expect(readProcessTree(2 ** 30)).toBeNull()
  })
})

test.each([1_024, 65_536])('a request body of the bench has exactly %i bytes and names the engine mode early', size => {
  const body = requestBody({ answer: 'stream', engineMode: 'burst', bodyBytes: size }, publicModel)
  expect(Buffer.byteLength(body)).toBe(size)
  expect(JSON.parse(body)).toMatchObject({ model: publicModel, bench: 'burst', stream: true })
  expect(body.indexOf('"bench"')).toBeLessThan(100)
})

function readAll(pieces: readonly Buffer[]): { head: string; body: string }[] {
  const messages: { head: string; body: string }[] = []
  let current = { head: '', body: '' }
  const reader = createHttpReader({
    onHead(head) {
      current = { head, body: '' }
    },
    onBody(bytes, start, end) {
      current.body += bytes.toString('latin1', start, end)
    },
    onEnd() {
      messages.push(current)
    },
  })
  for (const piece of pieces) reader.feed(piece)
  return messages
}

function cutAt(wire: Buffer, cuts: readonly number[]): Buffer[] {
  const edges = [0, ...[...new Set(cuts)].sort((left, right) => left - right), wire.length]
  return edges.slice(1).map((edge, index) => wire.subarray(edges[index], edge))
}

/** Answers every request with the same bytes, then closes the connection. */
function createFixedServer(answer: string): Server {
  return createServer(socket => {
    socket.on('data', () => socket.end(answer))
    socket.on('error', () => socket.destroy())
  })
}

async function load(
  server: Server,
  expectation: Expectation,
  engineMode = 'json',
  changes: Partial<LoadSpec> = {},
): Promise<LoadResult> {
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const spec: LoadSpec = {
    target: { host: '127.0.0.1', port, path: '/v1/chat/completions', authorization: '' },
    body: requestBody({ answer: expectation.answer, engineMode, bodyBytes: 1_024 }, expectation.model),
    expectation,
    connections: 2,
    rampMs: 0,
    warmUpMs: 100,
    windowMs: 400,
    maxAnswers: 100_000,
    ratePerSecond: null,
    drainMs: 0,
    countEvents: false,
    watchPid: null,
  }
  return runLoad({ ...spec, ...changes }, AbortSignal.timeout(20_000))
}

async function waitFor<T>(read: () => T | null): Promise<T> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const value = read()
    if (value !== null) return value
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error('it did not happen within 4 s')
}
