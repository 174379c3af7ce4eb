import { expect, it } from 'vitest'
import { chargePerMillion } from '../../src/core/money.ts'
import { nanoOf, testPricing, useGateway } from '../support/gateway/index.ts'
import { makeMp4 } from '../support/media/long-films.ts'
import { makeMp3, makeWav } from '../support/media/long-sounds.ts'
import { dataUrl, makePicture } from '../support/media/pictures.ts'
import { answer, stall, usageValue } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { audio, file, image, surfaces, video } from './media-gateway.ts'

const capabilities = { vision: true, multipleImages: true, audioInput: true, videoInput: true }
const cost = { tilePx: 100, tokensPerTile: 10, baseTokens: 7, maxTokens: 20_000 }
const gateway = useGateway({
  models: {
    'test/model': { capabilities, media: { image: cost, audioTokensPerSecond: 50, videoTokensPerSecond: 60 } },
  },
})

/** Nano-dollars of so many tokens of a prompt, at the dearest price that they can have. */
const nano = (tokens: number) => chargePerMillion(tokens, nanoOf(testPricing.cacheWriteUsdPerMTok))
const bodyOf = (...parts: readonly object[]) => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Look' }, ...parts] }],
  max_tokens: 1,
})
const isNear = (left: bigint, right: bigint) => expect(Math.abs(Number(left - right))).toBeLessThanOrEqual(1)

/** What was held in the end for an answer, as its record says. */
async function heldNano(path: string, ...parts: readonly object[]): Promise<bigint> {
  const body = JSON.stringify({ model: 'test/model', ...bodyOf(...parts) })
  const answered = await gateway.client.send(path, { method: 'POST', body })
  expect([answered.status, answered.text]).toEqual([200, expect.any(String)])
  const generation = await gateway.client.generation(answered.json.id ?? '')
  return nanoOf(generation?.hold ?? 0)
}

const picture = async (width: number, height: number) =>
  image(dataUrl('image/png', await makePicture('png', width, height)))

it.each(surfaces)('an image holds what its squares cost once it was looked at, on %s', async surface => {
  const path = `${surface}/chat/completions`
  const small = await heldNano(path, await picture(100, 100))
  const wide = await heldNano(path, await picture(501, 100))
  isNear(wide - small, nano(6 * 10) - nano(1 * 10))
  const two = await heldNano(path, await picture(100, 100), await picture(200, 100))
  expect(two - small).toBeGreaterThan(nano(27 - 1))
  expect(two - small).toBeLessThan(nano(27 + 600))
})

it.each(surfaces)('a file holds the text that it gave, on %s', async surface => {
  const path = `${surface}/chat/completions`
  const text = (length: number) => dataUrl('text/plain', Buffer.from('x'.repeat(length)))
  const short = await heldNano(path, file(text(100), 'a.txt'))
  const long = await heldNano(path, file(text(1_100), 'a.txt'))
  isNear(long - short, nano(1_100) - nano(100))
})

it('what is given back is there for other requests while the answer comes', async () => {
  const { key } = await gateway.openAccount('streams', { mode: 'strict', credit: 1 })
  gateway.engine().always(stall({ afterChunks: 1, ms: 600_000 }, answer({ text: ['one', 'two'] })))
  const reading = await gateway.client.openStream(bodyOf(await picture(100, 100)), { key })
  await reading.receive(1)
  const { balanceNano, availableNano } = await gateway.client.credits(key)
  expect(balanceNano - availableNano).toBeGreaterThan(nano(17))
  expect(balanceNano - availableNano).toBeLessThan(nano(17 + 1_000))
  reading.abort()
  await waitFor('the rest of the hold', async () => (await gateway.client.credits(key)).availableNano > availableNano)
})

it('nothing stays held of a request whose media are refused', async () => {
  const { key } = await gateway.openAccount('refused', { mode: 'strict', credit: 1 })
  const refused = await gateway.client.chat(bodyOf(image('data:image/png;base64,AAAA')), { key })
  expect(refused.status).toBe(400)
  const { creditedNano, balanceNano, availableNano } = await gateway.client.credits(key)
  expect([balanceNano, availableNano]).toEqual([creditedNano, creditedNano])
})

it('an engine that counts more than the picture should cost is paid what is held, and no more', async () => {
  const tokens = 15_000
  const usage = { prompt_tokens: tokens, completion_tokens: 1, total_tokens: tokens + 1 }
  gateway.engine().always(answer({ text: ['yes'], usage: usageValue(JSON.stringify(usage)) }))
  const answered = await gateway.client.chat(bodyOf(await picture(100, 100)))
  expect([answered.status, answered.text]).toEqual([200, expect.any(String)])
  const generation = await gateway.client.generation(answered.json.id ?? '')
  expect(generation).toMatchObject({ usage_source: 'engine' })
  expect(nanoOf(answered.json.usage?.cost ?? 0)).toBe(nanoOf(generation?.hold ?? 0))
})

it('raw sound holds the seconds that it lasts', async () => {
  const path = '/v1/chat/completions'
  const sound = (seconds: number) => audio(Buffer.alloc(seconds * 48_000).toString('base64'), 'pcm16')
  expect(await heldNano(path, sound(2))).toBeGreaterThan(await heldNano(path, sound(1)))
})

it.each(surfaces)('sounds and films hold the seconds that are in them, on %s', async surface => {
  const held = (part: object) => heldNano(`${surface}/chat/completions`, part)
  const sound = (seconds: number) => audio(makeWav(seconds).toString('base64'), 'wav')
  isNear((await held(sound(20))) - (await held(sound(10))), nano(10 * 50))
  const film = (seconds: number) =>
    video(dataUrl('video/mp4', makeMp4([{ handler: 'vide', samples: seconds * 25, units: 40 }])))
  isNear((await held(film(20))) - (await held(film(10))), nano(10 * 60))
})

it.each(surfaces)('a sound whose header lies, or a film that is damaged, holds no less, on %s', async surface => {
  const held = (part: object) => heldNano(`${surface}/chat/completions`, part)
  const sound = (...pieces: Buffer[]) => audio(Buffer.concat(pieces).toString('base64'), 'mp3')
  const small = await held(sound(makeMp3(4)))
  const lying = await held(sound(makeMp3(4), makeMp3(800, 32)))
  expect(lying - small).toBeGreaterThan(nano(20 * 50))
  const damaged = (bytes: number) => video(dataUrl('video/mp4', makeMp4([], { contentBytes: bytes })))
  isNear((await held(damaged(30_000))) - (await held(damaged(20_000))), nano(10 * 60))
})
