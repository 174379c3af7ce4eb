import type { AnswerEncoder, AnswerFacts, JsonMembers } from '../../core/answer-encoder.ts'
import { isJsonObject, type JsonObject, parseJsonBytes } from '../../lib/json.ts'
import { type JsonMember, scanObject } from '../../lib/json-scan.ts'
import { spliceJson } from '../../lib/json-splice.ts'

/**
 * Completes a whole answer, or the last chunk of a stream, with what only the gateway knows: our names, the usage that is
 * billed, its cost. Sets these members and leaves every other byte as the engine sent it. `bytes` is a valid JSON object.
 */
export function completeAnswer(bytes: Buffer, facts: AnswerFacts, encoder: AnswerEncoder): Buffer {
  const { members } = scanObject(bytes)
  return Buffer.concat(
    spliceJson(bytes, members, {
      set: toEdits({
        id: JSON.stringify(facts.completionId),
        model: JSON.stringify(facts.modelId),
        usage: usageText(bytes, members, { facts, encoder }),
        ...encoder.answerMembers(facts),
      }),
    }),
  )
}

/**
 * The last chunk of a stream whose engine sent none of its own: empty choices, usage and cost (venym.md §3 Streaming).
 * `usageReport` is what the engine reported beside other things, or null.
 */
export function createLastChunk(facts: AnswerFacts, encoder: AnswerEncoder, usageReport: Buffer | null): Buffer {
  const head = headOf(facts)
  const report = usageReport === null ? '' : `,"usage":${usageReport}`
  return completeAnswer(Buffer.from(`${head.toString().slice(0, -1)}${report}}`), facts, encoder)
}

/** When the engine says that the answer was made, in seconds; what we add to its chunks says the same. */
export function createdOf(chunk: Buffer | null): number | null {
  if (chunk === null) return null
  const created = scanObject(chunk).members.findLast(({ key }) => key === 'created')
  const seconds = created === undefined ? null : Number(chunk.subarray(created.valueStart, created.valueEnd).toString())
  return Number.isSafeInteger(seconds) ? seconds : null
}

/** A chunk without choices that says of itself what the others do. */
export function createBareChunk(facts: AnswerFacts, members: JsonMembers): Buffer {
  const head = headOf(facts)
  return Buffer.concat(spliceJson(head, scanObject(head).members, { set: toEdits(members) }))
}

function headOf({ completionId: id, created, modelId: model }: AnswerFacts): Buffer {
  return Buffer.from(JSON.stringify({ id, object: 'chat.completion.chunk', created, model, choices: [] }))
}

/** The engine's own report with the cost added, every further figure of it kept; or our own figures. */
function usageText(
  bytes: Buffer,
  members: readonly JsonMember[],
  { facts, encoder }: { facts: AnswerFacts; encoder: AnswerEncoder },
): string {
  const reported = members.findLast(member => member.key === 'usage')
  if (facts.usageSource === 'estimated' || reported === undefined) return encoder.usageObject(facts)
  const usage = bytes.subarray(reported.valueStart, reported.valueEnd)
  return Buffer.concat(
    spliceJson(usage, scanObject(usage).members, { set: toEdits(encoder.usageMembers(facts, () => objectOf(usage))) }),
  ).toString()
}

function objectOf(bytes: Buffer): JsonObject {
  const value = parseJsonBytes(bytes)
  return isJsonObject(value) ? value : {}
}

function toEdits(members: JsonMembers): ReadonlyMap<string, Buffer> {
  return new Map(Object.entries(members).map(([name, value]) => [name, Buffer.from(value)]))
}
