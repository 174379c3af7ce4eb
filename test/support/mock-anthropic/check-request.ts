import type { JsonObject } from '../mock-engine/engine-request.ts'

/** Top-level members that the API documents and the gateway may send; it refuses all others. */
const known = new Set([
  'model',
  'max_tokens',
  'messages',
  'system',
  'stream',
  'tools',
  'tool_choice',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'thinking',
  'output_config',
  'metadata',
  'fallbacks',
])
const breakpointsMax = 4

type Block = JsonObject & { type?: unknown }

/** What the API would refuse in a request, in its words or nearly so; null for a good one. */
export function findProblem(body: JsonObject | undefined): string | null {
  if (body === undefined) return 'the body is not JSON'
  const stranger = Object.keys(body).find(key => !known.has(key))
  if (stranger !== undefined) return `${stranger}: Extra inputs are not permitted`
  const { messages } = body
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required'
  const hasCalls = JSON.stringify(messages).includes('"tool_use"')
  if (hasCalls && body['tools'] === undefined) return 'Requests which include `tool_use` blocks must define tools.'
  return findMessageProblem(messages) ?? findThinkingProblem(body) ?? findSamplingProblem(body) ?? findMarkProblem(body)
}

function findMessageProblem(messages: readonly { role: string; content: Block[] }[]): string | null {
  let open = new Set<unknown>()
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) return `messages.${index}: roles must alternate`
    if (!Array.isArray(content) || content.length === 0) return `messages.${index}: content must not be empty`
    if (content.some(block => block.type === 'text' && block['text'] === ''))
      return 'messages: text content blocks must be non-empty'
    const answered = content.filter(block => block.type === 'tool_result').map(block => block['tool_use_id'])
    const strange = answered.find(id => !open.has(id))
    if (strange !== undefined) return `messages.${index}: unexpected tool_use_id ${strange}`
    if (answered.length < open.size) return `messages.${index}: tool_use ids were found without tool_result blocks`
    open = new Set(content.filter(block => block.type === 'tool_use').map(block => block['id']))
    const odd = [...open].find(id => !/^[a-zA-Z0-9_-]+$/.test(String(id)))
    if (odd !== undefined) return `messages.${index}: tool_use.id: String should match pattern`
  }
  const last = messages.at(-1)?.content.at(-1)
  const isTrailing = messages.at(-1)?.role === 'assistant' && /\s$/.test(String(last?.['text'] ?? ''))
  return isTrailing ? 'messages: final assistant content cannot end with trailing whitespace' : null
}

function findThinkingProblem({ thinking, max_tokens: limit, tool_choice: choice }: JsonObject): string | null {
  const { type, budget_tokens: budget } = (thinking ?? {}) as JsonObject
  if (type === undefined || type === 'disabled') return null
  const forced = ['any', 'tool'].includes(String((choice as JsonObject | undefined)?.['type']))
  if (forced) return 'Thinking may not be enabled when tool_choice forces tool use.'
  if (type === 'adaptive') return null
  if (Number(budget) < 1_024) return 'thinking.budget_tokens: Input should be greater than or equal to 1024'
  return Number(budget) < Number(limit) ? null : '`max_tokens` must be greater than `thinking.budget_tokens`'
}

function findSamplingProblem({ temperature, top_p: topP, thinking }: JsonObject): string | null {
  if (temperature !== undefined && topP !== undefined) return '`temperature` and `top_p` cannot both be specified'
  if (temperature !== undefined && Number(temperature) > 1) return 'temperature: range: 0..1'
  const { type = 'disabled' } = (thinking ?? {}) as JsonObject
  return type !== 'disabled' && temperature !== undefined ? '`temperature` may only be 1 when thinking' : null
}

function findMarkProblem(body: JsonObject): string | null {
  const marks = JSON.stringify(body).split('"cache_control"').length - 1
  return marks > breakpointsMax ? `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.` : null
}
