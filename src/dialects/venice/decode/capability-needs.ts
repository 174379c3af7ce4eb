import type { CapabilityNeed } from '../../../core/completion-request.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { ChatFields } from './chat-schema.ts'

type Capability = CapabilityNeed['capability']

export interface AskedFor {
  readonly fields: ChatFields
  /** Needs of the messages, which stand where the messages do. */
  readonly media: readonly CapabilityNeed[]
  readonly hasFunctions: boolean
}

type CapabilityOf = (asked: AskedFor) => Capability | null

/** What each member of the body asks of the model; null when its value asks for nothing (venice.md §1.8). */
const capabilityOf: ReadonlyMap<string, CapabilityOf> = new Map<string, CapabilityOf>([
  ['tools', ({ hasFunctions }) => (hasFunctions ? 'functionCalling' : null)],
  ['tool_choice', ({ fields }) => (fields.tool_choice == null ? null : 'functionCalling')],
  ['parallel_tool_calls', ({ fields }) => (fields.parallel_tool_calls === true ? 'functionCalling' : null)],
  ['response_format', ({ fields }) => ((fields.response_format?.type ?? 'text') === 'text' ? null : 'responseSchema')],
  ['logprobs', ({ fields }) => (fields.logprobs === true ? 'logProbs' : null)],
  ['top_logprobs', ({ fields }) => (fields.top_logprobs == null ? null : 'logProbs')],
])

/** What the model must be able to do, in the order in which the body asks for it. */
export function capabilityNeeds(body: JsonObject, asked: AskedFor): readonly CapabilityNeed[] {
  return Object.keys(body).flatMap(key => {
    if (key === 'messages') return asked.media
    const capability = capabilityOf.get(key)?.(asked) ?? null
    return capability === null ? [] : [{ capability, path: [key] }]
  })
}
