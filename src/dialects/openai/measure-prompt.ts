import type { PromptSize } from '../../core/completion-request.ts'
import { countCodePoints } from '../../lib/code-points.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json.ts'

/** An inline second of audio or video is at least this many base64 characters (8 kbit/s); it bounds what is held. */
const mediaBytesPerSecond = 1_000

interface Tally {
  characters: number
  images: number
  mediaCharacters: number
  /** UTF-8 bytes of media that stand in the body but are never text. */
  mediaBytes: number
}

/**
 * Measures a checked `messages` array: text in code points for the estimate of the bill, media apart, because a data
 * URL is never text (money.md §5). `bodyBytes` is the size of everything sent, tool definitions included.
 */
export function measurePrompt(messages: readonly JsonObject[], bodyBytes: number): PromptSize {
  const tally: Tally = { characters: 0, images: 0, mediaCharacters: 0, mediaBytes: 0 }
  for (const message of messages) {
    measureContent(message['content'], tally)
    measureToolCalls(message['tool_calls'], tally)
  }
  return {
    boundBytes: Math.max(0, bodyBytes - tally.mediaBytes),
    characters: tally.characters,
    messages: messages.length,
    images: tally.images,
    mediaSeconds: Math.ceil(tally.mediaCharacters / mediaBytesPerSecond),
  }
}

function measureContent(content: JsonValue | undefined, tally: Tally): void {
  if (typeof content === 'string') tally.characters += countCodePoints(content)
  if (!Array.isArray(content)) return
  for (const part of content) if (isJsonObject(part)) measurePart(part, tally)
}

function measurePart(part: JsonObject, tally: Tally): void {
  if (typeof part['text'] === 'string') tally.characters += countCodePoints(part['text'])
  const image = mediaText(part['image_url'], 'url')
  if (image !== null) {
    tally.images += 1
    if (image.startsWith('data:')) tally.mediaBytes += image.length
  }
  const media = mediaText(part['input_audio'], 'data') ?? mediaText(part['video_url'], 'url')
  if (media !== null) {
    tally.mediaCharacters += media.length
    tally.mediaBytes += media.length
  }
}

/** Media stands either as a string or inside an object; both forms are used by clients. */
function mediaText(holder: JsonValue | undefined, key: string): string | null {
  if (typeof holder === 'string') return holder
  if (!isJsonObject(holder)) return null
  const value = holder[key]
  return typeof value === 'string' ? value : null
}

function measureToolCalls(toolCalls: JsonValue | undefined, tally: Tally): void {
  if (!Array.isArray(toolCalls)) return
  for (const call of toolCalls) {
    const called = isJsonObject(call) ? call['function'] : undefined
    if (isJsonObject(called) && typeof called['arguments'] === 'string') {
      tally.characters += countCodePoints(called['arguments'])
    }
  }
}
