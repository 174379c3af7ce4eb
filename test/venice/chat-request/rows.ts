/** One field of a request: what it takes, and what it does not, whose issue stands at `path` (default: the field). */
export interface FieldRow {
  readonly takes: readonly unknown[]
  readonly refuses: readonly unknown[]
  /** Where the issue stands, below the field. */
  readonly inside?: readonly (string | number)[]
  /** False where the engine gets nothing of this name, because the value is the gateway's own or is spelled otherwise. */
  readonly isForwarded?: false
}

const integerMax = 2_147_483_648
const text = { type: 'text', text: 'Hello' }
const tool = { type: 'function', function: { name: 'look' } }

/** The table of venice.md §1.2, row by row, with the bounds of §19. */
export const fieldRows: Readonly<Record<string, FieldRow>> = {
  model: { takes: ['test/model', 'main', 'venice-test/model'], refuses: [5, 'x'.repeat(1_025)], isForwarded: false },
  messages: { takes: [[{ role: 'user', content: [text] }]], refuses: [[], 'Hello', {}], isForwarded: false },
  temperature: { takes: [0, 2], refuses: [-0.1, 2.1, '1'] },
  top_p: { takes: [0, 1], refuses: [-0.1, 1.1] },
  top_k: { takes: [0, 40], refuses: [-1, 1.5] },
  min_p: { takes: [0, 1], refuses: [-0.1, 1.1] },
  min_temp: { takes: [0, 2], refuses: [-0.1, 2.1] },
  max_temp: { takes: [0, 2], refuses: [-0.1, 2.1] },
  repetition_penalty: { takes: [0, 7], refuses: [-0.1] },
  frequency_penalty: { takes: [-2, 2], refuses: [-2.1, 2.1] },
  presence_penalty: { takes: [-2, 2], refuses: [-2.1, 2.1] },
  max_completion_tokens: { takes: [1, 1_000], refuses: [0, 1.5, integerMax + 1], isForwarded: false },
  max_tokens: { takes: [1, 0, -1], refuses: [1.5, '5'], isForwarded: false },
  n: { takes: [2], refuses: [0, 1.5] },
  seed: { takes: [1], refuses: [0, -1, 1.5] },
  stop: { takes: ['.', ['a', 'b', 'c', 'd']], refuses: [[], ['a', 'b', 'c', 'd', 'e'], 5] },
  stop_token_ids: { takes: [[1, 2]], refuses: [5, Array(1_001).fill(1)] },
  stream: { takes: [false], refuses: ['yes', 1], isForwarded: false },
  stream_options: { takes: [{ include_usage: true }, {}], refuses: [5], isForwarded: false },
  logprobs: { takes: [true, false], refuses: [1, 'true'] },
  top_logprobs: { takes: [0, 20], refuses: [-1, 21] },
  response_format: { takes: [{ type: 'text' }, { type: 'json_object' }], refuses: ['json_object', 5] },
  tools: { takes: [[tool]], refuses: [tool, 'look'] },
  tool_choice: { takes: ['required', 'none', { type: 'auto' }], refuses: ['any', 5], isForwarded: false },
  parallel_tool_calls: { takes: [true, false], refuses: ['yes'], isForwarded: false },
  reasoning_effort: {
    takes: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
    refuses: ['maximum', '', 5],
    isForwarded: false,
  },
  reasoning: {
    takes: [{ effort: 'low' }, { enabled: false }, { summary: 'concise' }],
    refuses: ['high', [1]],
    isForwarded: false,
  },
  verbosity: { takes: ['low', 'medium', 'high', 'auto'], refuses: ['loud', 5], isForwarded: false },
  text: { takes: [{ verbosity: 'low' }], refuses: [{ verbosity: 'loud' }], inside: ['verbosity'], isForwarded: false },
  prompt_cache_key: { takes: ['mine'], refuses: [5], isForwarded: false },
  prompt_cache_retention: { takes: ['default', 'extended', '24h'], refuses: ['48h'], isForwarded: false },
  anon_user_id: { takes: ['a', ' '], refuses: ['a||b', 'é', 'x'.repeat(129)], isForwarded: false },
  fallbacks: { takes: [[{ model: 'a' }]], refuses: [Array(11).fill({ model: 'a' }), 'a'], isForwarded: false },
  venice_parameters: { takes: [{}, { of_tomorrow: 1 }], refuses: ['x', []], isForwarded: false },
}

/** What is rewritten before anything is judged, or dropped whatever it holds (venice.md §1.1). */
export const aliasRows: Readonly<Record<string, FieldRow>> = {
  input: { takes: [[{ role: 'user', content: 'Hello' }]], refuses: [] },
  max_output_tokens: { takes: [5, 0], refuses: [] },
  web_search: { takes: [true, false], refuses: [] },
  promptCacheKey: { takes: ['mine'], refuses: [] },
  user: { takes: ['somebody', 5], refuses: [] },
  store: { takes: [true, 'x'], refuses: [] },
  include: { takes: [['reasoning.encrypted_content'], 5], refuses: [] },
  metadata: { takes: [{ a: 'b' }, 5], refuses: [] },
}

const flag = { takes: [true, false], refuses: ['yes', 1] }

/** The table of venice.md §1.7. */
export const settingRows: Readonly<Record<string, FieldRow & { readonly usual: unknown }>> = {
  character_slug: { takes: ['sage'], refuses: [5], usual: undefined },
  strip_thinking_response: { ...flag, usual: false },
  disable_thinking: { ...flag, usual: false },
  enable_e2ee: { ...flag, usual: true },
  enable_web_search: { takes: ['off', 'on', 'auto'], refuses: ['always', 5], usual: 'off' },
  enable_web_scraping: { ...flag, usual: false },
  enable_web_citations: { ...flag, usual: false },
  include_search_results_in_stream: { ...flag, usual: false },
  return_search_results_as_documents: { ...flag, usual: false },
  include_venice_system_prompt: { ...flag, usual: true },
  enable_x_search: { ...flag, usual: false },
}

/** Settings that a model's name may end in (venice.md §1.6): the others are none. */
export const suffixRows: Readonly<Record<string, readonly [value: string, setting: unknown]>> = {
  enable_web_search: ['auto', 'auto'],
  enable_web_citations: ['true', true],
  enable_web_scraping: ['true', true],
  include_venice_system_prompt: ['false', false],
  include_search_results_in_stream: ['true', true],
  return_search_results_as_documents: ['true', true],
  character_slug: ['s%61ge', 'sage'],
  strip_thinking_response: ['true', true],
  disable_thinking: ['true', true],
}
