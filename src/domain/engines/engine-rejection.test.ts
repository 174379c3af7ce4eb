import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countCpuMs } from '../../../test/support/lapse.ts'
import { errorBodies } from '../../../test/support/mock-engine/index.ts'
import { type EngineRejection, readRejection } from './engine-rejection.ts'

function read(body: string | Buffer, engineModel = 'Qwen/Qwen3-27B'): EngineRejection {
  return readRejection({
    status: 422,
    body: Buffer.from(body),
    engineModel,
    publicModel: 'venym/qwen-27b',
    privateTexts: [],
  })
}

function messageOf(text: string, engineModel?: string): string {
  return read(JSON.stringify({ error: { message: text } }), engineModel).message
}

const text = 'temperature must be < 2'
const shapes = [
  'openAi',
  'openAiNulls',
  'vllm',
  'detail',
  'errorText',
  'messageOnly',
  'jsonText',
  'jsonArray',
  'sse',
] as const

describe("the engine's words", () => {
  it.each(shapes)('are found in the shape %s', shape => {
    expect(read(errorBodies[shape](text).body).message).toBe(text)
  })

  it('are found in a list of details, with their place', () => {
    expect(read(errorBodies.detailList(text).body).message).toBe(`temperature: ${text}`)
  })

  it('are found in plain text, in JSON that breaks off, and between tags', () => {
    expect(read(errorBodies.plain(text).body).message).toBe(text)
    expect(read(errorBodies.brokenJson(text).body).message).toBe(text)
    expect(read(errorBodies.long(text).body.slice(0, 65_536)).message).toMatch(/^temperature must be < 2 x+$/)
    expect(read(errorBodies.html('too long').body).message).toBe('Error too long')
  })

  it.each(['', '{}', 'null', '{"error":null}', '{"error":17}', '   ', '[]'])('may be missing, as in %j', body => {
    expect(read(body)).toEqual({
      status: 422,
      message: 'The engine refused the request with status 422.',
      code: null,
      param: null,
      kind: 'other',
      problems: [],
    })
  })

  it.each([
    ['OpenAI', { error: { message: 'no', code: 'content_policy_violation' } }],
    [
      'OpenAI in words',
      {
        error: {
          message: 'Invalid prompt: flagged as potentially violating our usage policy.',
          code: 'invalid_prompt',
        },
      },
    ],
    [
      'Azure',
      { error: { message: 'no', code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } } },
    ],
    ['Azure within', { error: { message: 'no', code: '400', inner_error: { code: 'ResponsibleAIPolicyViolation' } } }],
    [
      'Anthropic',
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'Output blocked by content filtering policy' },
      },
    ],
    [
      'Google',
      {
        error: { code: 400, status: 'INVALID_ARGUMENT', message: 'The prompt was blocked due to prohibited content.' },
      },
    ],
  ])('of %s about the content are known as such', (_, body) => {
    expect(read(JSON.stringify(body)).kind).toBe('policy')
  })

  it.each([
    ['OpenAI', { error: { message: 'no', code: 'context_length_exceeded' } }],
    ['vLLM', { object: 'error', message: "This model's maximum context length is 8192 tokens.", code: 400 }],
    ['Anthropic', { error: { message: 'prompt is too long: 210000 tokens > 200000 maximum' } }],
  ])('of %s about the length are known as such', (_, body) => {
    expect(read(JSON.stringify(body)).kind).toBe('context')
  })

  it('about nothing of the kind are others', () => {
    expect(read(JSON.stringify({ error: { message: 'policy must be a string', code: 'bad' } })).kind).toBe('other')
    expect(read('the safety catch').kind).toBe('other')
  })

  it('about fields are told field by field, at most five', () => {
    const detail = Array.from({ length: 7 }, (_, index) => ({
      loc: ['body', 'messages', index, 'role'],
      msg: 'is wrong',
    }))
    const told = Array.from({ length: 5 }, (_, index) => `messages.${index}.role: is wrong`)
    expect(read(JSON.stringify({ detail })).problems).toEqual(told)
    const errors = [{ path: ['top_p'], message: 'of internal Qwen/Qwen3-27B' }, 'plain', 17]
    expect(read(JSON.stringify({ errors })).problems).toEqual(['top_p: of internal venym/qwen-27b', 'plain'])
  })

  it('come with their code and field where these are text', () => {
    expect(read(errorBodies.openAi(text).body)).toMatchObject({ code: 'bad_value', param: 'temperature' })
    expect(read(errorBodies.vllm(text).body)).toMatchObject({ code: null, param: null })
  })

  it('are cut at 2,000 characters, and never inside one', () => {
    expect(messageOf('x'.repeat(9_000))).toHaveLength(2_000)
    expect(messageOf(`${'x'.repeat(1_999)}😀`)).toHaveLength(1_999)
  })

  it('name the model as the caller does', () => {
    expect(messageOf('The model `Qwen/Qwen3-27B` knows qwen/qwen3-27b-AWQ.')).toBe(
      'The model `venym/qwen-27b` knows venym/qwen-27b-AWQ.',
    )
    expect(messageOf('m is my model', 'm')).toBe('venym/qwen-27b is my model')
    expect(messageOf('a+b (c) $& x', '$&')).toBe('a+b (c) venym/qwen-27b x')
    expect(messageOf('no name', '')).toBe('no name')
  })

  it.each([
    ['see http://10.0.0.7:8000/v1/models for more', 'see [removed] for more'],
    ['at https://user:pw@engine.internal/x?key=1', 'at [removed]'],
    ['connect to 10.0.0.7:8000 failed', 'connect to [removed] failed'],
    ['from 192.168.1.20', 'from [removed]'],
    ['node gpu-7.internal.example:8000 is down', 'node [removed] is down'],
    ['node gpu-7.internal is down', 'node [removed] is down'],
    ['node vllm:8000 is down', 'node [removed] is down'],
    ['localhost:11434 said no', '[removed] said no'],
    ['on [::1]:8000 and fe80:0:0:0:1:2:3:4', 'on [removed] and [removed]'],
    ['no file /home/alice/models/q.gguf, sorry', 'no file [removed], sorry'],
    ['bad at "/opt/venv/lib/python3/vllm.py" line 3', 'bad at "[removed]" line 3'],
    ['at /root/.cache/hub', 'at [removed]'],
    ['wrong key sk-abc123def456', 'wrong key [removed]'],
    ['got Bearer abc.def', 'got [removed]'],
    ['boom\nTraceback (most recent call last):\n  File "/srv/x.py", line 7', 'boom[removed]'],
    ['boom\n    at run (/srv/engine/index.js:12:9)\n    at main', 'boom[removed]'],
    ['boom at run (/srv/engine/index.js:12:9) at main', 'boom[removed]'],
    ['boom at /srv/engine/index.js:12:9', 'boom[removed]'],
  ])('keep no address, key or stack: %j', (message, expected) => {
    expect(messageOf(message).replaceAll('\n', '')).toBe(expected)
  })

  it.each([
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages).",
    'top_p must be in (0, 1], got 1.5.',
    'messages.0.content: expected a string; line 1 column 5',
    'unexpected token at position 5 (line 1:5) of the schema',
    'Invalid value: 12:30',
    'model llama3.1:8b or qwen2.5:0.5b is not loaded',
  ])('stay as they are when they give nothing away: %j', message => {
    expect(messageOf(message)).toBe(message)
  })

  it('are read in a moment, whatever they are', () => {
    const hostile = [
      '<',
      '<a',
      '<script>',
      '\n at ',
      'a.',
      'a:',
      '1.',
      '[',
      '{"error":',
      'x'.repeat(62),
      'Bearer ',
      '\n\n',
    ]
    for (const piece of hostile) {
      const spentMs = countCpuMs()
      read(piece.repeat(Math.ceil(65_536 / piece.length)))
      expect(spentMs()).toBeLessThan(100)
    }
  })

  it('never break the reader', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.string({ unit: 'binary' })), body => {
        const { message } = read(body)
        expect(message.length).toBeGreaterThan(0)
        expect(message.length).toBeLessThanOrEqual(2_000)
      }),
    )
    expect(read(Buffer.from([0, 255, 128, 7])).message).not.toBe('')
  })
})
