import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts'

/**
 * A part `{type:"image"}` of Cursor or Anthropic as an `image_url` part. The image stands as `image_url:{url}`, as
 * `image:"<url>"`, or as a `source` with its address or its bytes; null when it stands nowhere (venice.md §19).
 */
export function imagePartOf(block: JsonObject): JsonObject | null {
  const url = urlOf(block)
  if (url === null) return null
  const { cache_control = null } = block
  return { type: 'image_url', image_url: url, cache_control }
}

function urlOf({ image_url, image, source }: JsonObject): JsonValue {
  if (isJsonObject(image_url)) return image_url
  if (typeof image === 'string') return { url: image }
  return isJsonObject(source) ? sourceUrl(source) : null
}

function sourceUrl({ type, media_type, data, url }: JsonObject): JsonValue {
  if (type === 'base64' && typeof media_type === 'string' && typeof data === 'string')
    return { url: `data:${media_type};base64,${data}` }
  return type === 'url' && typeof url === 'string' ? { url } : null
}
