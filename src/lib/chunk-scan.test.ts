import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonObjectOf, jsonString, jsonValueText } from '../../test/support/json-text.ts'
import { type CompletionScan, scanCompletionJson } from './chunk-scan.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJsonBytes } from './json.ts'
import { findDuplicateKey, scanObject } from './json-scan.ts'

function scan(text: string): CompletionScan | null {
  return scanCompletionJson(Buffer.from(text))
}

function scanValid(text: string): CompletionScan {
  const result = scan(text)
  if (result === null) throw new Error(`expected a scan of ${text}`)
  return result
}

/** The same rules on the parsed value. */
function expectedScan(completion: JsonObject): Partial<CompletionScan> {
  const choices = listOf(completion['choices'])
  const finished = choices.flatMap((choice, place) => {
    const { index, finish_reason: reason } = objectOf(choice)
    return typeof reason === 'string' ? [{ index: typeof index === 'number' ? index : place, reason }] : []
  })
  const textCharacters = choices.map(objectOf).reduce((sum, { delta, message, text }) => {
    return sum + charactersOf(text) + messageCharacters(objectOf(delta)) + messageCharacters(objectOf(message))
  }, 0)
  return {
    choiceCount: choices.length,
    finishReason: finished[0]?.reason ?? null,
    finishedIndexes: finished.map(({ index }) => index),
    textCharacters,
    hasText: textCharacters > 0,
  }
}

function messageCharacters(message: JsonObject): number {
  const parts = listOf(message['content']).map(part => charactersOf(objectOf(part)['text']))
  const calls = listOf(message['tool_calls']).map(call => {
    const called = objectOf(objectOf(call)['function'])
    return charactersOf(called['name']) + charactersOf(called['arguments'])
  })
  const reasoning = Math.max(charactersOf(message['reasoning_content']), charactersOf(message['reasoning']))
  const texts = [message['content'], message['refusal']].map(charactersOf)
  return [...parts, ...calls, ...texts].reduce((sum, count) => sum + count, reasoning)
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : []
}

function charactersOf(value: JsonValue | undefined): number {
  return typeof value === 'string' ? [...value].length : 0
}

const arrayOf = (value: fc.Arbitrary<string>) => fc.array(value, { maxLength: 3 }).map(list => `[${list.join(' ,')}]`)

/** Mostly the API's type, sometimes any other. */
const mostly = (value: fc.Arbitrary<string>) => {
  return fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: jsonValueText })
}

/** An object with some of these members in any order, each name once and plainly spelled. */
function objectWith(members: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<string> {
  const names = Object.keys(members)
  const order = fc.shuffledSubarray(names, { minLength: Math.ceil(names.length / 2) })
  return fc.tuple(fc.record(members), order, fc.constantFrom('', '', ' ', '\n\t')).map(([values, chosen, gap]) => {
    return `{${chosen.map(name => `${gap}"${name}"${gap}:${gap}${values[name]}${gap}`).join(',')}}`
  })
}

const text = mostly(jsonString)
const part = mostly(objectWith({ type: jsonString, text }))
const toolCall = mostly(
  objectWith({ id: jsonString, function: mostly(objectWith({ name: text, arguments: text, x: jsonValueText })) }),
)
const message = mostly(
  objectWith({
    role: jsonString,
    content: fc.oneof(text, text, arrayOf(part)),
    reasoning_content: text,
    reasoning: text,
    refusal: text,
    tool_calls: mostly(arrayOf(toolCall)),
  }),
)
const choice = mostly(
  objectWith({
    index: mostly(fc.constantFrom('0', '1', '12', '-1.5e2')),
    finish_reason: mostly(fc.constantFrom('null', '"stop"', '"le\\u006egth"')),
    delta: message,
    message,
    text,
    logprobs: jsonValueText,
  }),
)
const plainCompletion = objectWith({
  id: text,
  model: text,
  usage: jsonValueText,
  error: mostly(fc.constant('null')),
  choices: mostly(arrayOf(choice)),
  object: jsonValueText,
})

/** The same names twice, spelled with escapes, and at places where they mean nothing. */
const messyName = fc.oneof(
  fc.constantFrom(
    '"id"',
    '"model"',
    '"usage"',
    '"choices"',
    '"delta"',
    '"content"',
    '"mod\\u0065l"',
    '"\\u0063ontent"',
  ),
  jsonString,
)
const messyValue = fc.oneof(arrayOf(choice), message, jsonValueText)
const messyCompletion = jsonObjectOf(messyName, fc.oneof(messyValue, jsonObjectOf(messyName, messyValue)))

const completionText = fc.oneof(plainCompletion, messyCompletion)

describe('scanCompletionJson', () => {
  it('agrees with the parsed object wherever it does not call it odd', () => {
    fc.assert(
      fc.property(completionText, completion => {
        const { odd, ...found } = scanValid(completion)
        if (!odd) expect(found).toMatchObject(expectedScan(JSON.parse(completion)))
      }),
      { numRuns: 500 },
    )
  })

  it('gives the spans of the members that matter, and a cut that leaves all others', () => {
    fc.assert(
      fc.property(completionText, text => {
        const bytes = Buffer.from(text)
        const found = scanValid(text)
        if (found.odd) return
        const parsed = JSON.parse(text) as JsonObject
        for (const name of ['id', 'model', 'usage', 'error', 'choices'] as const) {
          const span = found[name]
          expect(span !== null).toBe(Object.hasOwn(parsed, name))
          if (span === null) continue
          expect(bytes.toString('utf8', span.keyStart, span.keyStart + name.length + 2)).toBe(`"${name}"`)
          expect(JSON.parse(bytes.toString('utf8', span.valueStart, span.valueEnd))).toEqual(parsed[name])
          expect(span.isNull).toBe(parsed[name] === null)
          const left = Buffer.concat([bytes.subarray(0, span.cutStart), bytes.subarray(span.cutEnd)]).toString()
          const { [name]: _cut, ...others } = parsed
          expect(JSON.parse(left)).toEqual(others)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('accepts exactly the bytes that parse as an object', () => {
    const damaged = fc.tuple(completionText, fc.nat(), fc.nat({ max: 255 })).map(([text, seed, byte]) => {
      const bytes = Buffer.from(text)
      bytes[seed % bytes.length] = byte
      return bytes
    })
    fc.assert(
      fc.property(
        fc.oneof(
          damaged,
          jsonValueText.map(text => Buffer.from(text)),
        ),
        bytes => {
          let isObject: boolean
          try {
            isObject = isJsonObject(parseJsonBytes(bytes))
          } catch {
            isObject = false
          }
          expect(scanCompletionJson(bytes) !== null).toBe(isObject)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('calls every object odd whose top level has a name twice that matters', () => {
    fc.assert(
      fc.property(completionText, text => {
        const { members } = scanObject(Buffer.from(text))
        const mattering = members.filter(({ key }) => ['id', 'model', 'usage', 'error', 'choices'].includes(key))
        if (findDuplicateKey(mattering) !== null) expect(scanValid(text).odd).toBe(true)
      }),
    )
  })

  it('reads the usual chunk', () => {
    const text =
      '{"id":"c-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":' +
      '{"role":"assistant","content":"h\\u00e9\\uD83D\\uDE00!"},"logprobs":null,"finish_reason":"stop"}],"usage":null}'
    const found = scanValid(text)
    expect(found).toMatchObject({ choiceCount: 1, finishReason: 'stop', finishedIndexes: [0], textCharacters: 4 })
    expect(found).toMatchObject({ hasText: true, odd: false, error: null, usage: { isNull: true } })
  })

  it('reads a chunk inside other bytes', () => {
    const bytes = Buffer.from('data: {"model":"m"}\n\n')
    expect(scanCompletionJson(bytes, 6, bytes.length - 2)?.model).toMatchObject({ valueStart: 15, valueEnd: 18 })
    expect(scanCompletionJson(bytes, 6, bytes.length - 3)).toBeNull()
    expect(scanCompletionJson(bytes, 6, 1_000_000)).not.toBeNull()
    expect(scanCompletionJson(bytes, 0)).toBeNull()
  })

  it('counts reasoning once when an engine sends it under both names', () => {
    const chunk = (delta: string): number => scanValid(`{"choices":[{"delta":${delta}}]}`).textCharacters
    expect(chunk('{"reasoning":"abc","reasoning_content":"abcd","content":"e"}')).toBe(5)
    expect(chunk('{"reasoning_content":"abc"}')).toBe(3)
    expect(chunk('{"content":null,"reasoning":null}')).toBe(0)
  })

  it('names the first finish reason and every finished choice', () => {
    const text =
      '{"choices":[{"finish_reason":null},{"index":5,"finish_reason":"le\\u006egth"},{"finish_reason":"stop"}]}'
    expect(scanValid(text)).toMatchObject({ finishReason: 'length', finishedIndexes: [5, 2], choiceCount: 3 })
  })

  it.each([
    '{"model":"a","model":"b"}',
    '{"model":"a","mod\\u0065l":"b"}',
    '{"\\u0069d":"a"}',
    '{"choices":[{"delta":{"content":"a","content":"b"}}]}',
    '{"choices":[{"delta":{"c\\u006fntent":"b"}}]}',
  ])('calls %s odd', text => {
    expect(scanValid(text).odd).toBe(true)
  })

  it.each(['{"x":1,"x":2}', '{"usage":{"a":1,"a":2,"\\u0061":3}}', '{"choices":[{"delta":{}},{"delta":{}}]}'])(
    'does not call %s odd',
    text => {
      expect(scanValid(text).odd).toBe(false)
    },
  )

  it('gives up on nesting that is too deep, and on bytes that are not UTF-8', () => {
    expect(scan(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`)).not.toBeNull()
    expect(scan(`{"a":${'['.repeat(64)}${']'.repeat(64)}}`)).toBeNull()
    expect(scan('{"choices":['.repeat(100_000))).toBeNull()
    expect(scanCompletionJson(Buffer.from('{"model":"\xff"}', 'latin1'))).toBeNull()
    expect(scanCompletionJson(Buffer.from('{"choices":[{"finish_reason":"\xff"}]}', 'latin1'))).toBeNull()
  })
})
