import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json.ts'

/** Every choice has a message, and there is a choice: what the clients of a whole answer rely on. */
export function hasMessages({ choices }: JsonObject): boolean {
  return isListOf(choices, choice => isJsonObject(choice['message']))
}

/** Every choice says why it ended, without which a stream is never passed off as a success (venym.md §3). */
export function isFinished({ choices }: JsonObject): boolean {
  return isListOf(choices, choice => typeof choice['finish_reason'] === 'string')
}

function isListOf(choices: JsonValue | undefined, holds: (choice: JsonObject) => boolean): boolean {
  return Array.isArray(choices) && choices.length > 0 && choices.every(choice => isJsonObject(choice) && holds(choice))
}
