import type { EngineCall } from '../../../domain/engines/types.ts'
import { foldName } from '../../../lib/fold-name.ts'
import { isJsonObject, type JsonObject, parseJsonBytes } from '../../../lib/json.ts'
import { invalidField } from '../request-refused.ts'
import { wishMembers } from '../wish-members.ts'
import type { Magic } from './magic-inputs.ts'
import { noticeFor } from './plain-answer.ts'
import { planJson } from './plan-json.ts'
import { planToolCalls, type ToolCall } from './plan-tool-calls.ts'
import { readMagic } from './read-magic.ts'
import { type Prompt, readPrompt } from './read-prompt.ts'
import { readSampling, type Sampling } from './read-sampling.ts'

/** Everything that decides an answer of the test mode. The same request has the same answer. */
export interface SandboxRequest {
  readonly requestId: string
  readonly engineModel: string
  readonly magic: Magic
  /** Its text is without magic inputs. */
  readonly prompt: Prompt
  readonly sampling: Sampling
  readonly toolCalls: readonly ToolCall[]
  /** The JSON text that the caller's format asks for; null for plain text. */
  readonly json: string | null
  readonly outputLimit: number
}

/** Reads what the engine may see of a call. @throws RequestRefused */
export function readRequest(call: EngineCall): SandboxRequest {
  const fields = visibleFields(call)
  const whole = readPrompt(fields['messages'])
  const { magic, rest } = readMagic(whole.userText)
  const prompt = { ...whole, userText: rest }
  return {
    requestId: call.requestId,
    engineModel: call.engineModel,
    magic,
    prompt,
    sampling: readSampling(fields, call.choices),
    toolCalls: planToolCalls(fields, magic, prompt),
    json: planJson(fields, noticeFor(prompt)),
    outputLimit: call.outputLimit,
  }
}

/** Of a composed request also what engines spell in their own way; this one spells it as most do. */
function visibleFields({ body, deniedKeys, wishes }: EngineCall): JsonObject {
  const value = parseJsonBytes(body.bytes)
  if (!isJsonObject(value)) throw invalidField('body', 'must be an object')
  const wished = wishes === null ? {} : wishMembers(wishes, 'generic', null)
  return Object.fromEntries(
    Object.entries({ ...value, ...wished }).filter(
      ([name]) => !body.removedKeys.has(name) && !deniedKeys.has(foldName(name)),
    ),
  )
}
