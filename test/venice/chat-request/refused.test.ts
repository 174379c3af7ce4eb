import { describe, expect, it } from 'vitest'
import { useGateway } from '../../support/gateway/index.ts'
import { ask, refused } from './ask.ts'

const gateway = useGateway()

const title = 'Invalid request parameters'
const user = (...content: object[]) => ({ messages: [{ role: 'user', content }] })
const picture = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
const film = { type: 'video_url', video_url: { url: 'https://youtu.be/a' } }
const marked = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }

/** One of each kind of problem, with the sentence that callers read. */
const rows: readonly (readonly [body: object, path: readonly (string | number)[], code: string, message: string])[] = [
  [{ temperature: 2.5 }, ['temperature'], 'too_big', 'Number must be less than or equal to 2'],
  [{ top_k: -1 }, ['top_k'], 'too_small', 'Number must be greater than or equal to 0'],
  [{ seed: 0 }, ['seed'], 'too_small', 'Number must be greater than 0'],
  [{ n: 0 }, ['n'], 'too_small', 'Number must be greater than or equal to 1'],
  [{ n: 1.5 }, ['n'], 'invalid_type', 'Expected integer, received float'],
  [{ top_p: '0.5' }, ['top_p'], 'invalid_type', 'Expected number, received string'],
  [{ stream: 'yes' }, ['stream'], 'invalid_type', 'Expected boolean, received string'],
  [{ top_logprobs: 21 }, ['top_logprobs'], 'too_big', 'Number must be less than or equal to 20'],
  [{ stop: ['a', 'b', 'c', 'd', 'e'] }, ['stop'], 'too_big', 'Array must contain at most 4 element(s)'],
  [{ stop: 5 }, ['stop'], 'invalid_union', 'Expected string or array, received number'],
  [{ zebra: 1 }, [], 'unrecognized_keys', "Unrecognized key(s) in object: 'zebra'"],
  [
    { verbosity: 'loud' },
    ['verbosity'],
    'invalid_enum_value',
    "Invalid enum value. Expected 'low' | 'medium' | 'high' | 'auto', received 'loud'",
  ],
  [
    { response_format: { type: 'yaml' } },
    ['response_format', 'type'],
    'invalid_union_discriminator',
    "Invalid discriminator value. Expected 'text' | 'json_object' | 'json_schema'",
  ],
  [
    { response_format: { type: 'text', more: 1 } },
    ['response_format'],
    'unrecognized_keys',
    "Unrecognized key(s) in object: 'more'",
  ],
  [{ messages: null }, ['messages'], 'invalid_type', 'Required'],
  [{ messages: [] }, ['messages'], 'too_small', 'Array must contain at least 1 element(s)'],
  [
    { messages: [{ role: 'robot', content: 'x' }] },
    ['messages', 0, 'role'],
    'invalid_union_discriminator',
    "Invalid discriminator value. Expected 'system' | 'developer' | 'user' | 'assistant' | 'tool'",
  ],
  [
    user({ type: 'text', text: '' }),
    ['messages', 0, 'content', 0, 'text'],
    'too_small',
    'String must contain at least 1 character(s)',
  ],
  [
    user(...Array(11).fill(picture)),
    ['messages', 0, 'content'],
    'custom',
    'A message may hold at most 10 image_url parts; this one holds 11',
  ],
  [
    { messages: [...user(film, film).messages, ...user(film, film).messages] },
    ['messages'],
    'custom',
    'A request may hold at most 3 video_url parts; this one holds 4',
  ],
  [
    user(...Array(5).fill(marked)),
    ['messages', 0, 'content', 4, 'cache_control'],
    'custom',
    'A request may hold at most 4 cache_control breakpoints; this is one more',
  ],
  [
    { messages: [{ role: 'system', content: [picture] }] },
    ['messages', 0, 'content', 0, 'type'],
    'custom',
    'Only user messages may hold image_url parts',
  ],
  [
    user({ type: 'input_audio', input_audio: { data: 'https://example.com/a.wav' } }),
    ['messages', 0, 'content', 0, 'input_audio', 'data'],
    'invalid_string',
    'Audio must stand here as base64, without a URL or a data: prefix',
  ],
  [{ tools: [{}] }, ['tools', 0, 'function'], 'invalid_type', 'Required'],
  [
    { tool_choice: 'any' },
    ['tool_choice'],
    'invalid_enum_value',
    "Invalid enum value. Expected 'auto' | 'none' | 'required', received 'any'",
  ],
  [{ anon_user_id: 'a||b' }, ['anon_user_id'], 'custom', 'anon_user_id must not contain ||'],
  [
    { venice_parameters: { enable_e2ee: 'no' } },
    ['venice_parameters', 'enable_e2ee'],
    'invalid_type',
    'Expected boolean, received string',
  ],
  [
    { model: 'test/model:disable_thinking=maybe' },
    ['model'],
    'custom',
    'The model suffix disable_thinking takes true or false',
  ],
]

describe('a request that is wrong', () => {
  it.each(rows)('such as %j is refused with its place, its kind and the mend', async (body, path, code, message) => {
    const { error, issues } = await refused(gateway, body)
    expect([error, issues]).toEqual([title, [expect.objectContaining({ path, code, message })]])
  })

  it('is told of everything at once, as a list and as a tree', async () => {
    const { issues, details } = await refused(gateway, { temperature: 3, zebra: 1, messages: [{ role: 'user' }] })
    expect(issues).toEqual([
      {
        code: 'too_big',
        maximum: 2,
        type: 'number',
        inclusive: true,
        exact: false,
        message: 'Number must be less than or equal to 2',
        path: ['temperature'],
      },
      { code: 'unrecognized_keys', keys: ['zebra'], message: "Unrecognized key(s) in object: 'zebra'", path: [] },
      { code: 'invalid_union', received: 'undefined', message: 'Required', path: ['messages', 0, 'content'] },
    ])
    expect(details).toEqual({
      _errors: ["Unrecognized key(s) in object: 'zebra'"],
      temperature: { _errors: ['Number must be less than or equal to 2'] },
      messages: { _errors: [], 0: { _errors: [], content: { _errors: ['Required'] } } },
    })
  })

  it.each([
    [{ model: null }, 'model is required'],
    [{ model: 5 }, 'model must be a string'],
    [user({ type: 'image', image: 'file:///etc/passwd' }), 'Supplied image did not pass validation checks.'],
    [
      { ...user({ ...film, video_url: { url: 'data:video/avi;base64,AA' } }) },
      'Supplied video did not pass validation checks.',
    ],
  ])('in the way of %j has the words that clients know at its top', async (body, error) => {
    expect((await refused(gateway, body)).error).toBe(error)
  })

  it('is answered the same for a stream', async () => {
    expect((await refused(gateway, { stream: true, temperature: 3 })).error).toBe(title)
  })

  it('does not make the answer grow', async () => {
    const body = { messages: Array(20_000).fill(5), verbosity: 'x'.repeat(100_000) }
    const { issues } = await refused(gateway, body)
    expect(issues).toHaveLength(100)
    expect(JSON.stringify(issues).length).toBeLessThan(20_000)
  })
})

describe('a body that is no request', () => {
  it.each(['', '[]', 'null', '{"model":', `${'['.repeat(100)}${']'.repeat(100)}`])('such as %j is 400', async text => {
    const answer = await ask(gateway, text)
    expect([answer.status, answer.json.error]).toEqual([400, expect.any(String)])
    expect(gateway.engine().requests).toHaveLength(0)
  })
})
