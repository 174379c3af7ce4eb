import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json.ts'
import { deltaOf, mapChoices, withDelta } from './map-choices.ts'

/** Some engines answer with parts, `{type: "thinking"}` among them; callers get the texts of both kinds as texts. */
export const joinParts = mapChoices(() => choice => {
  const delta = deltaOf(choice)
  const { content, reasoning_content: known } = delta
  if (!Array.isArray(content)) return choice
  const parts = content.filter(isJsonObject)
  const thought = textOf(parts.filter(isThought).map(({ thinking, text }) => thinking ?? text ?? ''))
  const said = textOf(parts.filter(part => !isThought(part)))
  const before = typeof known === 'string' ? known : ''
  const reasoning = before + thought
  return withDelta(choice, { ...delta, content: said, ...(reasoning === '' ? {} : { reasoning_content: reasoning }) })
})

function isThought({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'reasoning'
}

/** Of a text, a part with one, or a list of either. */
function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join('')
  return isJsonObject(value) && typeof value['text'] === 'string' ? value['text'] : ''
}
