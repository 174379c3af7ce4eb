import { z } from 'zod'
import { text } from '../fields.ts'

/** Parts of a message as venice.md §1.3 shapes them. What else stands in a part is left out. */

const audioFormats = ['wav', 'mp3', 'aiff', 'aac', 'ogg', 'flac', 'm4a', 'pcm16', 'pcm24'] as const
const imageDetails = ['auto', 'low', 'high'] as const

const cacheControl = z.object({ type: z.literal('ephemeral'), ttl: text() }).nullish()
export type CacheControl = z.output<typeof cacheControl>

export const textPartSchema = z.object({ text: z.string().min(1), cache_control: cacheControl })

/** `detail` is OpenAI's; a value that it does not know is left out, because this surface promises nothing about it. */
export const imagePartSchema = z.object({
  image_url: z.object({ url: z.string(), detail: z.enum(imageDetails).optional().catch(undefined) }),
  cache_control: cacheControl,
})

export const audioPartSchema = z.object({
  input_audio: z.object({ data: z.string(), format: z.enum(audioFormats).nullish() }),
  cache_control: cacheControl,
})

export const videoPartSchema = z.object({ video_url: z.object({ url: z.string() }), cache_control: cacheControl })

export const filePartSchema = z.object({
  file: z.object({ file_data: z.string(), filename: text() }),
  cache_control: cacheControl,
})
