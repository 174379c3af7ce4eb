import { countCodePoints } from '../lib/code-points.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts'
import type { PromptSize } from './completion-request.ts'
import { findMedia } from './find-media.ts'
import { measureMedia } from './measure-media.ts'
import type { MediaPlace } from './media.ts'

/**
 * Measures a checked `messages` array: text in code points for the estimate of the bill, media apart, because a data
 * URL is never text (money.md §5). `bodyBytes` is the size of everything sent, tool definitions included.
 */
export function measureMessages(
  messages: readonly JsonObject[],
  bodyBytes: number,
  media: readonly MediaPlace[] = findMedia(messages),
): PromptSize {
  const { images, audioSeconds, videoSeconds, documentBytes, bodyBytes: mediaBytes } = measureMedia(media)
  return {
    boundBytes: Math.max(0, bodyBytes - mediaBytes) + documentBytes,
    characters: countCharacters(messages),
    messages: messages.length,
    images,
    imageSizes: [],
    audioSeconds,
    videoSeconds,
  }
}

/** Unicode code points of the messages' text and of the arguments of their calls. */
export function countCharacters(messages: readonly JsonObject[]): number {
  return messages.reduce((sum, { content, tool_calls }) => sum + countContent(content) + countToolCalls(tool_calls), 0)
}

function countContent(content: JsonValue | undefined): number {
  if (typeof content === 'string') return countCodePoints(content)
  if (!Array.isArray(content)) return 0
  return content.reduce<number>((sum, part) => sum + (isJsonObject(part) ? countText(part['text']) : 0), 0)
}

function countToolCalls(toolCalls: JsonValue | undefined): number {
  if (!Array.isArray(toolCalls)) return 0
  return toolCalls.reduce<number>((sum, call) => {
    const called = isJsonObject(call) ? call['function'] : undefined
    return sum + (isJsonObject(called) ? countText(called['arguments']) : 0)
  }, 0)
}

function countText(text: JsonValue | undefined): number {
  return typeof text === 'string' ? countCodePoints(text) : 0
}
