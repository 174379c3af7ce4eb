import { measureMessages } from '../../core/measure-messages.ts'
import { joinBytes } from '../../lib/join-bytes.ts'
import { type JsonObject, parseJsonBytes } from '../../lib/json.ts'
import { elementSpans, type JsonSpan } from '../../lib/json-elements.ts'
import { scanObject } from '../../lib/json-scan.ts'
import type { WrittenBody } from './draft.ts'
import { moveMembers } from './forward-draft.ts'

/** A body that was composed is two levels deeper than a caller's. */
const depthMax = 66

/** Whose messages come before all others. */
const systemRoles: ReadonlySet<unknown> = new Set(['system', 'developer'])

/** The body with one message more behind the system prompts. Every other byte of it stays. */
export async function insertMessage(
  { body, prompt }: WrittenBody,
  message: JsonObject,
  signal: AbortSignal,
): Promise<WrittenBody> {
  const member = body.members.find(({ key }) => key === 'messages')
  if (member === undefined) throw new RangeError('a body that goes to an engine has messages')
  const { bytes } = body
  const spans = elementSpans(bytes, { start: member.valueStart, end: member.valueEnd }, depthMax)
  const next = spans.find(span => !isSystem(bytes, span))
  const json = JSON.stringify(message)
  const at = next?.start ?? spans.at(-1)?.end ?? member.valueStart + 1
  const inserted = Buffer.from(next !== undefined ? `${json},` : spans.length === 0 ? json : `,${json}`)
  const own = measureMessages([message], inserted.length)
  return {
    body: {
      ...body,
      bytes: await joinBytes([bytes.subarray(0, at), inserted, bytes.subarray(at)], signal),
      members: moveMembers(body.members, member, inserted.length),
    },
    prompt: {
      ...prompt,
      boundBytes: prompt.boundBytes + own.boundBytes,
      characters: prompt.characters + own.characters,
      messages: prompt.messages + 1,
    },
  }
}

/** Only the role is parsed: a message may be full of media. Of two roles the last one counts, as for every parser. */
function isSystem(bytes: Buffer, { start }: JsonSpan): boolean {
  const role = scanObject(bytes, start, { depthMax }).members.findLast(({ key }) => key === 'role')
  return role !== undefined && systemRoles.has(parseJsonBytes(bytes.subarray(role.valueStart, role.valueEnd)))
}
