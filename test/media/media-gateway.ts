import { afterAll, beforeEach, expect } from 'vitest'
import type { ModelOverrides } from '../support/gateway/gateway-settings.ts'
import { type Gateway, useGateway } from '../support/gateway/index.ts'
import { FileServer } from '../support/media/file-server.ts'

const senses = { vision: true, multipleImages: true, audioInput: true, videoInput: true }

const models: Readonly<Record<string, ModelOverrides>> = {
  'test/model': { capabilities: senses, maxImages: 4 },
  'test/one-image': { capabilities: { ...senses, multipleImages: false } },
  'test/blind': {},
  'test/unchecked': { capabilities: senses, media: { check: false } },
  'test/checked': { media: { check: true } },
  'test/fetcher': { capabilities: senses, engines: ['fetcher', 'main'] },
}

export interface MediaGateway {
  readonly gateway: Gateway
  /** Somebody's web server, which the operator allows. */
  readonly files: () => FileServer
}

/** A gateway with models for each sense, and a web server that it may fetch from. */
export function useMediaGateway(): MediaGateway {
  let files: FileServer | undefined
  const gateway = useGateway(async () => {
    files = await FileServer.start()
    return {
      engines: { main: {}, fetcher: { fetchesUrls: true } },
      models,
      settings: { fetch: { allowHosts: [files.hostAndPort] } },
    }
  })
  beforeEach(() => {
    if (files !== undefined) files.requests.length = 0
  })
  afterAll(() => files?.close())
  return {
    gateway,
    files: () => {
      if (files === undefined) throw new Error('the server runs only within tests')
      return files
    },
  }
}

export type Surface = '/v1' | '/api/v1'
export const surfaces: readonly Surface[] = ['/v1', '/api/v1']

export interface Asked {
  readonly surface: Surface
  readonly model?: string
  readonly parts: readonly object[]
}

/** One message with these parts. */
export function askWith(gateway: Gateway, { surface, model = 'test/model', parts }: Asked) {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Look' }, ...parts] }]
  return askMessages(gateway, { surface, model, messages })
}

export function askMessages(
  gateway: Gateway,
  { surface, model = 'test/model', messages }: Omit<Asked, 'parts'> & { readonly messages: readonly object[] },
) {
  const body = JSON.stringify({ model, messages, max_completion_tokens: 5 })
  return gateway.client.send(`${surface}/chat/completions`, { method: 'POST', body })
}

/** The parts behind the text that reached the engine. */
export async function seenParts(gateway: Gateway, asked: Asked, engine = 'main'): Promise<readonly unknown[]> {
  const answer = await askWith(gateway, asked)
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  const [request] = gateway.engine(engine).requests
  const messages = request?.body?.['messages'] as readonly { readonly content: readonly unknown[] }[]
  return messages[0]?.content.slice(1) ?? []
}

/** A 400 that touched neither an engine nor the caller's money; resolves with its text. */
export async function refusal(gateway: Gateway, asked: Asked, status = 400): Promise<string> {
  const before = await gateway.client.credits()
  const answer = await askWith(gateway, asked)
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)])
  for (const engine of gateway.engines.values()) expect(engine.requests).toHaveLength(0)
  expect(await gateway.client.credits()).toEqual(before)
  const { error } = JSON.parse(answer.text) as { error: string | { message: string } }
  return typeof error === 'string' ? error : error.message
}

export const image = (url: string) => ({ type: 'image_url', image_url: { url } })
export const video = (url: string) => ({ type: 'video_url', video_url: { url } })
export const audio = (data: string, format?: string) => ({
  type: 'input_audio',
  input_audio: { data, ...(format === undefined ? {} : { format }) },
})
export const file = (file_data: string, filename?: string) => ({
  type: 'file',
  file: { file_data, ...(filename === undefined ? {} : { filename }) },
})
