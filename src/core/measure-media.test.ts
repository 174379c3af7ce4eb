import { expect, it } from 'vitest'
import type { JsonObject } from '../lib/json.ts'
import { measureMessages } from './measure-messages.ts'

const text = { type: 'text', text: 'Look 👋' }

function measure(...parts: JsonObject[]) {
  const messages = [{ role: 'user', content: [text, ...parts] }]
  const bytes = Buffer.byteLength(JSON.stringify(messages))
  const { boundBytes, ...rest } = measureMessages(messages, bytes)
  return { ...rest, textBytes: boundBytes }
}

const base64 = 'A'.repeat(64_000)
const plain = measure().textBytes

it('a data URL is never text, whatever it holds', () => {
  const url = `data:image/png;base64,${base64}`
  const size = measure({ type: 'image_url', image_url: { url } }, { type: 'image_url', image_url: url })
  expect(size).toMatchObject({ images: 2, characters: 6, audioSeconds: 0, videoSeconds: 0 })
  expect(size.textBytes).toBeLessThan(plain + 200)
})

it.each([
  ['pcm16', 3],
  ['pcm24', 2],
  ['wav', 30],
  ['aiff', 12],
  ['mp3', 48],
  ['constructor', 48],
])('48,000 bytes of %s last %i seconds at most', (format, audioSeconds) => {
  const size = measure({ type: 'input_audio', input_audio: { data: base64, format } })
  expect(size).toMatchObject({ audioSeconds, images: 0 })
  expect(size.textBytes).toBeLessThan(plain + 200)
})

it('a film of so many bytes lasts a second per kilobyte at most, and one behind an address is as large as it may be', () => {
  const inline = measure({ type: 'video_url', video_url: { url: `data:video/mp4;base64,${base64}` } })
  expect(inline.videoSeconds).toBe(48)
  const remote = measure({ type: 'video_url', video_url: { url: 'https://a.com/b.mp4' } })
  expect(remote.videoSeconds).toBe(26_215)
})

it('a file may become as much text as is read of it, or one image', () => {
  const file = (data: string) => measure({ type: 'file', file: { file_data: data } })
  const small = file('data:text/plain;base64,AAAA')
  expect(small).toMatchObject({ images: 1 })
  expect(small.textBytes - plain).toBeGreaterThanOrEqual(65_536)
  expect(file(`data:text/plain;base64,${base64}`).textBytes - plain).toBeGreaterThanOrEqual(2_097_152)
  expect(file('https://a.com/b.pdf').textBytes - plain).toBeGreaterThanOrEqual(2_097_152)
})
