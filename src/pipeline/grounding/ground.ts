import type { Grounding } from '../../core/grounding.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { Held } from '../answering.ts'
import { contextMessage } from './context-message.ts'
import { lookUp } from './look-up.ts'

/** What was looked up for a request, and the message that tells the model of it. */
export interface Grounded {
  readonly grounding: Grounding
  /** Null where there is nothing to tell. */
  readonly message: JsonObject | null
}

const nonceBytes = 12

/** Looks up what the request plans, within its time and its part of the prompt. Null when that is nothing. */
export async function ground({ dependencies, admitted }: Held, signal: AbortSignal): Promise<Grounded | null> {
  const { plan, principal, model } = admitted
  if (plan === null) return null
  const { grounding: tools, clock, random } = dependencies
  const options = { tools, accountId: principal.accountId, model, nowMs: clock.now() }
  const found = await lookUp(plan, options, signal)
  if (found === null) return null
  const { wish, contextBytesMax: bytesMax } = plan
  const context = contextMessage(found.sources, { marks: wish.marks, bytesMax, nonce: random.hex(nonceBytes) })
  if (context !== null) return { grounding: { ...found, sources: context.sources }, message: context.message }
  // Results that are too large for the model were not used.
  return { grounding: { ...found, sources: [], error: found.error ?? 'no_results' }, message: null }
}
