import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'

/** Other names of fields. Where both are given, the field's own name wins. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['input', 'messages'],
  ['max_output_tokens', 'max_tokens'],
  ['promptCacheKey', 'prompt_cache_key'],
])
const aliasedFields: ReadonlySet<string> = new Set(aliases.values())

/** Taken from clients of OpenAI whatever they hold, and never passed on. */
const droppedKeys: ReadonlySet<string> = new Set(['user', 'store', 'include', 'metadata'])

const searchSwitch = 'web_search'

/**
 * What is put right before anything is judged (venice.md §1.1): aliases get the field's name, in the place where they
 * stood; what has no effect is left out; the switch for search becomes a setting.
 */
export function rewriteBody(body: JsonObject): JsonObject {
  const members = Object.entries(body).filter(([key]) => key !== searchSwitch && !isDropped(body, key))
  const rewritten = Object.fromEntries(members.map(([key, value]) => [aliases.get(key) ?? key, value]))
  return withSearchSetting(withoutIdleLimit(rewritten), body[searchSwitch])
}

/** An alias beside the field itself; and a field that says nothing, so that its alias can speak. */
function isDropped(body: JsonObject, key: string): boolean {
  const name = aliases.get(key)
  const isSpoken = name !== undefined && (body[name] ?? null) !== null
  return droppedKeys.has(key) || isSpoken || (aliasedFields.has(key) && body[key] === null)
}

/** The older name of the output limit counts neither beside the newer one nor with a value of 0 or less. */
function withoutIdleLimit(body: JsonObject): JsonObject {
  const { max_tokens: older, ...rest } = body
  const isIdle = (typeof older === 'number' && older <= 0) || (body['max_completion_tokens'] ?? null) !== null
  return isIdle ? rest : body
}

/** A setting that was spelled out wins over the switch. Settings that are no object are left for the schema to refuse. */
function withSearchSetting(body: JsonObject, value: JsonValue | undefined): JsonObject {
  const settings = body['venice_parameters'] ?? {}
  if (value === undefined || value === null || !isJsonObject(settings)) return body
  const mode = settings['enable_web_search'] ?? value
  return { ...body, venice_parameters: { ...settings, enable_web_search: mode } }
}
