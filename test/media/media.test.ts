import { describe, expect, it } from 'vitest'
import { testPricing } from '../support/gateway/index.ts'
import { makePicture } from '../support/media/pictures.ts'
import { films, sounds } from '../support/media/sounds-and-films.ts'
import { askMessages, audio, image, refusal, seenParts, surfaces, useMediaGateway, video } from './media-gateway.ts'

const { gateway, files } = useMediaGateway()
const refusedSound = 'Supplied audio did not pass validation checks.'
const refusedFilm = 'Supplied video did not pass validation checks.'
const base64 = (bytes: Buffer | undefined) => bytes?.toString('base64') ?? ''
const filmUrl = (type: string, bytes: Buffer | undefined) => `data:video/${type};base64,${base64(bytes)}`
const mp4 = films['mp4'] ?? Buffer.alloc(0)

describe.each(surfaces)('audio on %s', surface => {
  it.each(Object.entries(sounds))('that is %s reaches the engine with its format', async (format, bytes) => {
    const part = audio(base64(bytes), format)
    expect(await seenParts(gateway, { surface, parts: [part] })).toEqual([part])
  })

  it('without a format is WAV', async () => {
    const data = base64(sounds['wav'])
    expect(await seenParts(gateway, { surface, parts: [audio(data)] })).toEqual([audio(data, 'wav')])
  })

  it('without a format is refused when it is something else', async () => {
    expect(await refusal(gateway, { surface, parts: [audio(base64(sounds['mp3']))] })).toContain(refusedSound)
  })

  it.each(Object.keys(sounds).filter(format => !format.startsWith('pcm')))(
    'that says it is %s and is something else is refused',
    async format => {
      for (const other of ['mp3', 'ogg'].filter(name => name !== format))
        expect(await refusal(gateway, { surface, parts: [audio(base64(sounds[other]), format)] })).toContain(
          refusedSound,
        )
    },
  )

  it.each([
    ['half a sample', base64(Buffer.alloc(3)), 'pcm16'],
    ['half a sample', base64(Buffer.alloc(4)), 'pcm24'],
    ['text', base64(Buffer.from('no sound')), 'mp3'],
    ['a tag with nothing behind it', base64(Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1')), 'mp3'],
  ])('that is %s is refused', async (_, data, format) => {
    expect(await refusal(gateway, { surface, parts: [audio(data, format)] })).toContain(refusedSound)
  })

  it('behind an address is refused before it is fetched', async () => {
    const url = files().put('/a.wav', 'audio/wav', sounds['wav'] ?? Buffer.alloc(0))
    await refusal(gateway, { surface, parts: [audio(url, 'wav')] })
    expect(files().requests).toEqual([])
  })
})

describe.each(surfaces)('a film on %s', surface => {
  it.each(Object.keys(films))('of %s reaches the engine as data', async type => {
    const [part] = (await seenParts(gateway, { surface, parts: [video(filmUrl(type, films[type]))] })) as [unknown]
    expect(part).toEqual(video(filmUrl(type === 'mov' ? 'quicktime' : type, films[type])))
  })

  it('behind an address is fetched once, and the engine gets its bytes', async () => {
    const url = files().put('/a.mp4', 'video/mp4', mp4)
    expect(await seenParts(gateway, { surface, parts: [video(url)] })).toEqual([video(filmUrl('mp4', mp4))])
    expect(files().requests).toEqual(['/a.mp4'])
  })

  it('of another type, or behind an address that does not give it, is refused in the same words', async () => {
    const server = files()
    const urls = [
      filmUrl('avi', mp4),
      filmUrl('mp4', Buffer.from('no film')),
      server.at('/missing.mp4'),
      server.put('/page.mp4', 'text/html', mp4),
      server.put('/broken.mp4', 'video/mp4', Buffer.from('x')),
      server.answer('/moved.mp4', (_request, response) => void response.writeHead(307, { location: '/a.mp4' }).end()),
      'http://192.168.0.1/a.mp4',
    ]
    for (const url of urls) expect(await refusal(gateway, { surface, parts: [video(url)] })).toContain(refusedFilm)
  })

  it.each([
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ?t=5',
    'https://www.youtube.com/embed/dQw4w9WgXcQ',
    'http://m.youtube.com/shorts/dQw4w9WgXcQ',
  ])('at %s passes unfetched to an engine that fetches, and to no other', async url => {
    const asked = { surface, parts: [video(url)] }
    expect(await seenParts(gateway, { ...asked, model: 'test/fetcher' }, 'fetcher')).toEqual([video(url)])
    gateway.engine('fetcher').forget()
    expect(await refusal(gateway, asked)).toContain('The engines of this model do not fetch URLs')
  })

  it.each(['https://youtube.com.a.example/watch?v=dQw4w9WgXcQ', 'https://www.youtube.com:8443/watch?v=dQw4w9WgXcQ'])(
    'at %s is no YouTube link',
    async url => {
      expect(await refusal(gateway, { surface, model: 'test/fetcher', parts: [video(url)] })).toContain(refusedFilm)
    },
  )
})

describe('the number of films', () => {
  it('is three in a request, counted before any is fetched', async () => {
    const url = files().put('/b.mp4', 'video/mp4', mp4)
    const messages = [0, 1].map(() => ({ role: 'user', content: [video(url), video(url)] }))
    const answer = await askMessages(gateway, { surface: '/api/v1', messages })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('at most 3 video_url parts')])
    expect(files().requests).toEqual([])
  })
})

describe('a part of another kind on /v1 that holds an address', () => {
  const surface = '/v1'
  const odd = { type: 'audio_url', audio_url: { url: 'http://127.0.0.1/a.wav' } }
  it.each([
    odd,
    { type: 'image', image: 'http://127.0.0.1/' },
    { type: 'video', video: ['x'], url: 'file:///etc/passwd' },
    { type: 'video', video: ['http://127.0.0.1/1.jpg', 'http://127.0.0.1/2.jpg'] },
    { type: 'audio_url', audio_url: { url: ' \thttp://127.0.0.1/a.wav' } },
    { type: 'audio_url', audio_url: { url: 'http://127.0.0.1/a b.wav' } },
    { type: 'audio_url', audio_url: { url: '/etc/passwd' } },
    { type: 'image_url', image_url: { url: ['http://127.0.0.1/'] } },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', fallback: 'http://127.0.0.1/' } },
    { type: 'text', text: 'x', image_url: { url: 'http://127.0.0.1/' } },
    { type: 'of_tomorrow', of_tomorrow: { parts: [{ deeper: { url: 'http://127.0.0.1/' } }] } },
  ])('reaches only an engine that fetches: %j', async part => {
    expect(await refusal(gateway, { surface, parts: [part] })).toContain('do not fetch URLs')
    expect(await seenParts(gateway, { surface, model: 'test/fetcher', parts: [part] }, 'fetcher')).toEqual([part])
  })

  it('reaches no engine that does not fetch where the model’s checks are off, either', async () => {
    const beside = { url: 'data:image/png;base64,AAAA', fallback: 'http://127.0.0.1/' }
    for (const part of [odd, { type: 'image_url', image_url: beside }])
      for (const model of ['test/unchecked', 'test/blind'])
        expect(await refusal(gateway, { surface, model, parts: [part] })).toContain('do not fetch URLs')
  })

  it('with a data URL is refused by a model whose media are looked at, and reaches others as it came', async () => {
    const part = { type: 'audio_url', audio_url: { url: 'data:audio/wav;base64,AAAA' } }
    expect(await refusal(gateway, { surface, parts: [part] })).toContain('knows no part of this kind')
    expect(await seenParts(gateway, { surface, model: 'test/blind', parts: [part] })).toEqual([part])
  })

  it.each([
    { type: 'of_tomorrow', of_tomorrow: { a: 1 } },
    { type: 'input_text', text: 'http://127.0.0.1/' },
    { type: 'of_tomorrow', text: 'http://127.0.0.1/ is a server' },
  ])('without an address reaches every engine as it came: %j', async part => {
    expect(await seenParts(gateway, { surface, parts: [part] })).toEqual([part])
  })
})

describe('what media cost', () => {
  /** Dollars per million tokens of the dearest input price, as nano-USD per token. */
  const nanoPerToken = testPricing.cacheWriteUsdPerMTok * 1_000

  async function holdOf(parts: readonly object[]): Promise<number> {
    const body = JSON.stringify({ model: 'test/model', messages: [{ role: 'user', content: parts }], max_tokens: 1 })
    const answer = await gateway.client.send('/v1/chat/completions', { method: 'POST', body })
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
    const generation = await gateway.client.generation(String(answer.headers['x-generation-id']))
    return (generation?.hold ?? 0) * 1e9
  }

  it('is held by size and by seconds, never by the length of their data', async () => {
    const noise = await makePicture('png', 1_000, 1_000)
    const pcm = Buffer.alloc(160_000)
    const plain = await holdOf([])
    const pictured = (await holdOf([image(`data:image/png;base64,${base64(noise)}`)])) - plain
    const tokens = 6_500 + 63 * 63
    expect(pictured / nanoPerToken).toBeGreaterThan(tokens)
    expect(pictured / nanoPerToken).toBeLessThan(tokens + 300)
    const sounding = (await holdOf([audio(base64(pcm), 'pcm16')])) - plain
    expect(sounding / nanoPerToken).toBeGreaterThan(640)
    expect(sounding / nanoPerToken).toBeLessThan(640 + 300)
  })
})
