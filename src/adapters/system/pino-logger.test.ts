import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../../lib/json.ts'
import { logLineBytesMax, shortenLogLine } from './log-line.ts'
import { createPinoLogger, type PinoLoggerOptions } from './pino-logger.ts'

async function openLog(options: Partial<PinoLoggerOptions> = {}) {
  const lines: string[] = []
  const logger = await createPinoLogger({
    level: 'info',
    pretty: false,
    color: false,
    clock: { now: () => 1_767_225_600_123, monotonic: () => 0 },
    output: { write: line => lines.push(line) },
    ...options,
  })
  return { logger, lines }
}

test('an event is one JSON line with level, time, event and its fields', async () => {
  const { logger, lines } = await openLog()
  logger.warn('engine.ejected', { node: 'gpu-a', faults: 5 })
  logger.info('started')
  expect(lines).toEqual([
    '{"level":"warn","time":1767225600123,"node":"gpu-a","faults":5,"event":"engine.ejected"}\n',
    '{"level":"info","time":1767225600123,"event":"started"}\n',
  ])
})

test('line breaks in a field stay inside the line', async () => {
  const { logger, lines } = await openLog()
  logger.error('fault', { error: new Error('a\nb\r\nc'), '\n': '\u2028' })
  expect(lines.join('').trimEnd().split(/\r|\n/)).toHaveLength(1)
})

test('a level says what is worth a line', async () => {
  const counting = (['debug', 'info', 'warn', 'error'] as const).map(async level => {
    const { logger, lines } = await openLog({ level })
    logger.debug('d')
    logger.info('i')
    logger.warn('w')
    logger.error('e')
    return lines.length
  })
  expect(await Promise.all(counting)).toEqual([4, 3, 2, 1])
})

test('secrets are not shown', async () => {
  const { logger, lines } = await openLog()
  logger.info('call', { headers: { authorization: 'Bearer planted', cookie: 'planted' }, apiKey: 'planted' })
  expect(lines.join()).not.toContain('planted')
})

test('in front of a terminal a line is for people', async () => {
  const { logger, lines } = await openLog({ pretty: true })
  logger.warn('engine.ejected', { node: 'gpu-a', authorization: 'planted' })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(
    /^\[\d\d:\d\d:\d\d\.\d+\] WARN: engine\.ejected \{"node":"gpu-a","authorization":"\[redacted\]"\}\n$/,
  )
})

test('a line has at most 8 KiB and is always one JSON object that says level, time and event', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 3_000 })
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string({ maxLength: 200 }), fc.oneof(text, fc.array(text))), async fields => {
      const { logger, lines } = await openLog()
      logger.info('event.name', fields)
      const [line = ''] = lines
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(logLineBytesMax)
      expect(line.endsWith('}\n')).toBe(true)
      expect(parseJson(line)).toMatchObject({ level: 'info', time: 1_767_225_600_123, event: 'event.name' })
    }),
    { numRuns: 300 },
  )
})

test('a line that is too long keeps what fits and says that something is missing', () => {
  const members = Array.from({ length: 30 }, (_, at): [string, string] => [`n${at}`, 'ä'.repeat(1_000)])
  const line = `${JSON.stringify({ level: 'info', ...Object.fromEntries(members), event: 'e' })}\n`
  const short = shortenLogLine(line)
  expect(Buffer.byteLength(short)).toBeLessThanOrEqual(logLineBytesMax)
  expect(parseJson(short)).toMatchObject({
    level: 'info',
    event: 'e',
    n0: expect.stringContaining('ääää'),
    truncated: true,
  })
})

test('a line that fits is not touched', () => {
  const line = `{"a":"${'x'.repeat(logLineBytesMax - 9)}"}\n`
  expect(Buffer.byteLength(line)).toBe(logLineBytesMax)
  expect(shortenLogLine(line)).toBe(line)
})
