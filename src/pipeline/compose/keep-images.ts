import type { Model } from '../../core/model.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json.ts'

/**
 * The images that the model can look at: of a model for one picture those of the last message that has any, of others the
 * last `maxImages` of the conversation (venice.md §1.3, §19). The rest is left out; a message that held nothing else
 * keeps an empty text, so that turns still alternate.
 */
export function keepImages(messages: readonly JsonObject[], model: Model): readonly JsonObject[] {
  let room = model.maxImages
  let sawImages = false
  const kept = messages.toReversed().map(message => {
    const images = imagesIn(message)
    if (images === 0) return message
    const allowed = sawImages && !model.capabilities.multipleImages ? 0 : room
    sawImages = true
    room -= Math.min(images, allowed)
    return images <= allowed ? message : dropImages(message, images - allowed)
  })
  return kept.reverse()
}

function isImage(part: JsonValue): boolean {
  return isJsonObject(part) && part['type'] === 'image_url'
}

function imagesIn({ content }: JsonObject): number {
  return Array.isArray(content) ? content.filter(isImage).length : 0
}

/** Without its first `count` images. */
function dropImages(message: JsonObject, count: number): JsonObject {
  const { content } = message
  if (!Array.isArray(content)) return message
  let left = count
  const parts = content.filter(part => {
    if (!isImage(part) || left === 0) return true
    left -= 1
    return false
  })
  return { ...message, content: parts.length === 0 ? '' : parts }
}
