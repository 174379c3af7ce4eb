import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts'
import { custom, wrongDiscriminator, wrongType } from '../issues/issue-wording.ts'
import type { Path } from '../issues/schema-issue.ts'
import { partDecoders } from './decode-part.ts'
import { imagePartOf } from './image-blocks.ts'
import type { PromptReading } from './prompt-reading.ts'

/** A part and where it stood in the body, whatever became of its neighbours. */
export interface PlacedPart {
  readonly part: JsonValue
  readonly path: Path
}

/** Whose parts they are, and where the message stands in the body. */
export interface PartsOwner {
  readonly role: string
  readonly path: Path
}

/** Most parts of one kind in one message (venice.md §1.3). */
const partsMax: ReadonlyMap<string, number> = new Map([
  ['image_url', 10],
  ['input_audio', 5],
  ['video_url', 3],
  ['file', 5],
])

/** Parts of one message → OpenAI's forms of them, in their order. Only users hold more than text. */
export function decodeParts(parts: readonly PlacedPart[], owner: PartsOwner, reading: PromptReading): JsonObject[] {
  const decoded: JsonObject[] = []
  const counts = new Map<string, number>()
  for (const placed of parts) {
    if (reading.problems.isFull) break
    const part = asPart(placed, reading)
    if (part === null) continue
    const type = part['type']
    if (typeof type === 'string' && partsMax.has(type)) counts.set(type, (counts.get(type) ?? 0) + 1)
    const result = decodePart(part, { role: owner.role, path: placed.path }, reading)
    if (result === null) continue
    decoded.push(result)
    if (result['type'] !== 'text') reading.place(result, placed.path)
    if (result['cache_control'] !== undefined) reading.countBreakpoint(placed.path)
  }
  checkCounts(counts, owner, reading)
  return decoded
}

function checkCounts(counts: ReadonlyMap<string, number>, { path }: PartsOwner, { problems }: PromptReading): void {
  for (const [type, count] of counts) {
    const most = partsMax.get(type) ?? count
    if (count <= most) continue
    const message = `A message may hold at most ${most} ${type} parts; this one holds ${count}`
    problems.add([...path, 'content'], custom(message))
  }
}

/** The part as an object, with images of other dialects in OpenAI's form. */
function asPart({ part, path }: PlacedPart, { problems }: PromptReading): JsonObject | null {
  if (!isJsonObject(part)) {
    problems.add(path, wrongType('object', part))
    return null
  }
  if (part['type'] !== 'image') return part
  const image = imagePartOf(part)
  if (image === null)
    problems.add(path, custom('An image part needs image_url:{url}, image:"<url>" or source:{type,media_type,data}'))
  return image
}

function decodePart(part: JsonObject, { role, path }: PartsOwner, reading: PromptReading): JsonObject | null {
  const type = part['type']
  const decode = typeof type === 'string' ? partDecoders.get(type) : undefined
  if (decode === undefined) {
    const options = role === 'user' ? [...partDecoders.keys()] : ['text']
    reading.problems.add([...path, 'type'], wrongDiscriminator(options))
    return null
  }
  if (role !== 'user' && type !== 'text') {
    reading.problems.add([...path, 'type'], custom(`Only user messages may hold ${type} parts`))
    return null
  }
  return decode(part, path, reading)
}
