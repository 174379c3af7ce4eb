import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json.ts'

/** How engines, and gateways before them, call what a model thought. Signatures of it are for the next turn and stay. */
const spellings: ReadonlySet<string> = new Set([
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'reasoning_text',
  'thinking',
  'thinking_blocks',
  'thought',
  'thoughts',
])

/** Deeper than any answer goes; what is below is left out. */
const depthMax = 12

/** The object without reasoning at any depth: beside the text, in a call of a tool, in members of other gateways. */
export function withoutReasoning(object: JsonObject, depth = 1): JsonObject {
  const members = Object.entries(object)
  const kept = members.flatMap(([name, value]): [string, JsonValue][] =>
    spellings.has(name) ? [] : [[name, shownOf(value, depth)]],
  )
  const isSame = kept.length === members.length && kept.every(([name, value]) => value === object[name])
  return isSame ? object : Object.fromEntries(kept)
}

function shownOf(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (depth === depthMax) return null
  if (isJsonObject(value)) return withoutReasoning(value, depth + 1)
  const items = value.map(item => shownOf(item, depth + 1))
  return items.every((item, place) => item === value[place]) ? value : items
}
