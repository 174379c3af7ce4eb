import { readFile } from 'node:fs/promises'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { ModelOverrides } from '../support/gateway/gateway-settings.ts'
import { useGateway } from '../support/gateway/index.ts'
import { dataUrl, makePicture } from '../support/media/pictures.ts'
import { films, sounds } from '../support/media/sounds-and-films.ts'
import * as claude from '../support/mock-anthropic/index.ts'
import * as gemini from '../support/mock-google/index.ts'
import { askWith, audio, file, image, type Surface, surfaces, video } from './media-gateway.ts'

const senses = { vision: true, multipleImages: true, audioInput: true, videoInput: true }
const model = (engine: string): ModelOverrides => ({ capabilities: senses, engines: [engine] })

const gateway = useGateway({
  engines: { main: {}, claude: { kind: 'anthropic' }, gemini: { kind: 'google', fetchesUrls: true } },
  models: {
    'test/open': model('main'),
    'test/claude': model('claude'),
    'test/gemini': model('gemini'),
    'test/both': { capabilities: senses, engines: ['gemini', 'main'] },
  },
})

let png: Buffer
let heic: Buffer
beforeAll(async () => {
  png = await makePicture('png')
  // Made by the script beside it, with libheif and x265 as telephones do.
  heic = await readFile(new URL('../fixtures/documents/photo.heic', import.meta.url))
})
beforeEach(() => {
  gateway.engine('claude').always(claude.message())
  gateway.engine('gemini').always(gemini.generate())
})

/** The body that reached the engine, as text. */
async function sent(engine: string, surface: Surface, modelId: string, parts: readonly object[]): Promise<string> {
  const answer = await askWith(gateway, { surface, model: modelId, parts })
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  return JSON.stringify(gateway.engine(engine).requests.at(-1)?.body)
}

const base64 = (bytes: Buffer | undefined) => bytes?.toString('base64') ?? ''
const text = dataUrl('text/plain', Buffer.from('Buy milk'))

it.each(surfaces)('Claude gets images as its blocks and files as text, on %s', async surface => {
  const body = await sent('claude', surface, 'test/claude', [image(dataUrl('image/png', png)), file(text, 'a.txt')])
  expect(body).toContain(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${base64(png)}"}}`)
  expect(body).toContain('[File a.txt]\\nBuy milk\\n[End of file a.txt]')
})

it.each(surfaces)('Gemini gets images, sounds, films and links in its own parts, on %s', async surface => {
  const link = 'https://youtu.be/dQw4w9WgXcQ'
  const body = await sent('gemini', surface, 'test/gemini', [
    image(dataUrl('image/png', png)),
    audio(base64(sounds['mp3']), 'mp3'),
    video(dataUrl('video/mov', films['mov'] ?? png)),
    video(link),
  ])
  for (const [mimeType, bytes] of [
    ['image/png', png],
    ['audio/mp3', sounds['mp3']],
    ['video/quicktime', films['mov']],
  ] as const)
    expect(body).toContain(JSON.stringify({ inlineData: { mimeType, data: base64(bytes) } }))
  expect(body).toContain(JSON.stringify({ fileData: { fileUri: link } }))
})

it.each(surfaces)('HEIC reaches engines that read it, and others as a JPEG, on %s', async surface => {
  const parts = [image(dataUrl('image/heic', heic))]
  expect(await sent('gemini', surface, 'test/gemini', parts)).toContain(base64(heic))
  for (const [engine, modelId] of [
    ['main', 'test/open'],
    ['claude', 'test/claude'],
    ['gemini', 'test/both'],
  ] as const) {
    const body = await sent(engine, surface, modelId, parts)
    expect(body).not.toContain(base64(heic).slice(0, 200))
    expect(body).toMatch(/image\/jpeg.{0,40}\/9j\//)
  }
})
