import type { CompletionRequest, Composition } from '../../../src/core/completion-request.ts'
import { GatewayError, type RequestIssue } from '../../../src/core/gateway-error.ts'
import { decodeChatObject } from '../../../src/dialects/venice/decode/decode-chat.ts'
import type { VeniceSettings } from '../../../src/dialects/venice/settings.ts'
import type { JsonObject } from '../../../src/lib/json.ts'

/** The models of these tests; one name holds a colon. */
const known: ReadonlySet<string> = new Set(['m', 'family:8b', 'family:8b:instruct'])
export const names = { hasModel: (name: string) => known.has(name) }

export const hello = { role: 'user', content: 'Hello' }

/** The smallest request, with what the test is about; a member that is undefined is not there. */
function bodyWith(members: object): JsonObject {
  const body = { model: 'm', messages: [hello], ...members }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as JsonObject
}

export interface Decoded {
  readonly request: CompletionRequest
  readonly composition: Composition
  readonly settings: VeniceSettings
}

/** What a body is understood as. */
export function decoded(members: object): Decoded {
  const { request, settings } = decodeChatObject(bodyWith(members), names)
  if (request.content.kind !== 'composed') throw new Error('the request is not composed')
  return { request, composition: request.content.composition, settings }
}

/** The messages in the form in which engines get them. */
export function messagesOf(messages: readonly unknown[]): readonly JsonObject[] {
  return decoded({ messages }).composition.messages
}

/** How a body is refused. */
export function refusalOf(members: object): GatewayError {
  try {
    decodeChatObject(bodyWith(members), names)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error(`was taken: ${JSON.stringify(members).slice(0, 200)}`)
}

/** What is said to be wrong with a body, as callers get it. */
export function issuesOf(members: object): readonly object[] {
  return (refusalOf(members).options.issues ?? []).map(encode)
}

function encode({ path, message, facts }: RequestIssue): object {
  return { ...facts, path, message }
}
