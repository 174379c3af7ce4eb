import fc from 'fast-check'
import type { JsonValue } from '../../../src/lib/json.ts'

/** Bodies that are nearly requests: known names and words everywhere, with any value in any place. */

const memberNames = [
  ...['model', 'messages', 'input', 'temperature', 'top_p', 'top_k', 'n', 'seed', 'stop', 'stop_token_ids', 'stream'],
  ...['max_tokens', 'max_output_tokens', 'max_completion_tokens', 'logprobs', 'top_logprobs', 'response_format'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'reasoning_effort', 'reasoning', 'verbosity', 'text', 'user'],
  ...['anon_user_id', 'fallbacks', 'prompt_cache_key', 'venice_parameters', 'web_search', 'stream_options', 'zebra'],
]
const innerNames = [
  ...[
    'type',
    'role',
    'content',
    'name',
    'text',
    'image_url',
    'url',
    'image',
    'source',
    'input_audio',
    'data',
    'format',
  ],
  ...[
    'video_url',
    'file',
    'file_data',
    'cache_control',
    'ttl',
    'tool_use_id',
    'tool_call_id',
    'tool_calls',
    'id',
    'input',
  ],
  ...['function', 'parameters', 'input_schema', 'json_schema', 'schema', 'effort', 'enabled', 'model', 'media_type'],
  ...[
    'reasoning_details',
    'disable_thinking',
    'enable_web_search',
    'character_slug',
    '__proto__',
    'constructor',
    'toString',
  ],
]
const words = [
  ...[
    'm',
    'm:disable_thinking=true',
    'm:disable_thinking=%',
    'family:8b',
    'user',
    'assistant',
    'system',
    'tool',
    'x',
    '',
  ],
  ...[
    'text',
    'image_url',
    'image',
    'input_audio',
    'video_url',
    'file',
    'tool_use',
    'tool_result',
    'ephemeral',
    'function',
  ],
  ...[
    'https://example.com/a.png',
    'data:image/png;base64,AAAA',
    'AAAA',
    'auto',
    'none',
    'json_schema',
    'web_search',
    'low',
  ],
  ...['\ud800', '日本語\u{1f600}', '\u0000', 'a||b', 'base64', 'image/png'],
]
const numbers = [0, 1, 2, -1, 0.5, 1e300, -1e300, 2 ** 31, 2 ** 53, Number.POSITIVE_INFINITY, 5e-324]

const { value } = fc.letrec<{ value: JsonValue }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...words, ...numbers, null, true, false),
    fc.array(tie('value'), { maxLength: 4 }),
    objectOf(innerNames, tie('value')),
  ),
}))

function objectOf(names: readonly string[], values: fc.Arbitrary<JsonValue>) {
  return fc
    .array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 6 })
    .map(members => Object.fromEntries(members) as Record<string, JsonValue>)
}

const part = objectOf(innerNames, value).chain(members =>
  fc
    .constantFrom('text', 'image_url', 'image', 'input_audio', 'video_url', 'file', 'tool_use', 'tool_result')
    .map(type => ({ text: 'x', id: 'i', name: 'f', tool_use_id: 'u', image: words[20] ?? '', ...members, type })),
)
const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'system', 'developer', 'tool', 'x'),
  content: fc.oneof(fc.constantFrom('x', '', null), fc.array(fc.oneof(part, value), { maxLength: 4 }), value),
  tool_calls: fc.constantFrom(undefined, null, [], [{}]),
  tool_call_id: fc.constantFrom(undefined, 'u', 5),
})

/** About a third of these are accepted. */
export const nearlyRequests: fc.Arbitrary<Record<string, JsonValue>> = fc
  .tuple(objectOf(memberNames, value), fc.array(message, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([members, messages, isPlain]) => {
    const said = isPlain ? [{ role: 'user', content: 'x' }] : withoutUndefined(messages)
    return { ...members, model: 'm', messages: said } as Record<string, JsonValue>
  })

/** Any JSON object at all. */
export const anyObjects = fc.oneof(
  objectOf(memberNames, value),
  fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<JsonValue>),
)

function withoutUndefined(messages: readonly object[]): JsonValue {
  return JSON.parse(JSON.stringify(messages)) as JsonValue
}
