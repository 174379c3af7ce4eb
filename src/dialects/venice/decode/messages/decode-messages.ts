import type { CapabilityNeed } from '../../../../core/completion-request.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts'
import { outOfBounds, wrongDiscriminator, wrongType } from '../issues/issue-wording.ts'
import type { Problems } from '../issues/problems.ts'
import { messageDecoders } from './decode-message.ts'
import { PromptReading } from './prompt-reading.ts'

export interface DecodedMessages {
  readonly messages: readonly JsonObject[]
  /** What the model must be able to read, in the order in which it stands in the messages. */
  readonly needs: readonly CapabilityNeed[]
  /** Where parts stood that are not text. */
  readonly mediaPaths: PromptReading['mediaPaths']
}

/** `messages` in any form that callers write → OpenAI's form, once and for all engines (venice.md §1.1, §1.3). */
export function decodeMessages(value: JsonValue | undefined, problems: Problems): DecodedMessages {
  if (!Array.isArray(value)) {
    problems.add(['messages'], wrongType('array', value ?? undefined))
    return { messages: [], needs: [], mediaPaths: new Map() }
  }
  const reading = new PromptReading(problems)
  const messages: JsonObject[] = []
  let turns = 0
  for (let index = 0; index < value.length && !problems.isFull; index++) {
    const message = value[index] ?? null
    if (isEmptyTurn(message)) continue
    turns++
    messages.push(...decodeMessage(message, index, reading))
  }
  if (turns === 0 && !problems.isFull) problems.add(['messages'], noMessages)
  reading.finish()
  return { messages, needs: reading.needs, mediaPaths: reading.mediaPaths }
}

const noMessages = outOfBounds({ code: 'too_small', type: 'array', limit: 1, inclusive: true })

function decodeMessage(message: JsonValue, index: number, reading: PromptReading): readonly JsonObject[] {
  const path = ['messages', index]
  if (!isJsonObject(message)) {
    reading.problems.add(path, wrongType('object', message))
    return []
  }
  const { role } = message
  const decode = typeof role === 'string' ? messageDecoders.get(role) : undefined
  if (decode !== undefined) return decode(message, path, reading)
  reading.problems.add([...path, 'role'], wrongDiscriminator([...messageDecoders.keys()]))
  return []
}

/** A turn in which the assistant neither said nor called anything is left out without a word. */
function isEmptyTurn(message: JsonValue): boolean {
  if (!isJsonObject(message) || message['role'] !== 'assistant') return false
  return isEmpty(message['content']) && isEmpty(message['tool_calls'])
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
