import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  dataUrl,
  makeAnimatedWebp,
  makeCmykJpeg,
  makeGif,
  makePicture,
  makePngBomb,
} from '../support/media/pictures.ts'
import { askMessages, askWith, image, refusal, seenParts, surfaces, useMediaGateway } from './media-gateway.ts'

const { gateway, files } = useMediaGateway()
const refused = 'Supplied image did not pass validation checks.'

let png: Buffer
beforeAll(async () => {
  png = await makePicture('png')
})

describe('a GIF', () => {
  it('on /v1 reaches the engine as the PNG of its first frame, from a data URL and from an address', async () => {
    const gif = await makeGif()
    const urls = [dataUrl('image/gif', gif), files().put('/a.gif', 'image/gif', gif)]
    const parts = (await seenParts(gateway, { surface: '/v1', parts: urls.map(image) })) as ReturnType<typeof image>[]
    expect(parts).toHaveLength(2)
    for (const { image_url } of parts) {
      const [, base64 = ''] = /^data:image\/png;base64,(.+)$/.exec(image_url.url) ?? []
      expect(await sharp(Buffer.from(base64, 'base64')).metadata()).toMatchObject({ format: 'png', width: 96 })
    }
  })

  it('on /v1 that is broken, or something else, is refused', async () => {
    const bad = [(await makeGif()).subarray(0, 60), png, Buffer.from('GIF89a')]
    for (const bytes of bad) {
      const url = dataUrl('image/gif', bytes)
      const text = await refusal(gateway, { surface: '/v1', parts: [image(url)] })
      expect(text).toContain(`${refused} It must be a PNG, JPEG, WebP, GIF, HEIF, HEIC or AVIF image`)
    }
  })

  it('on /api/v1 is refused, whatever it says it is', async () => {
    const gif = await makeGif()
    const urls = [dataUrl('image/gif', gif), dataUrl('image/png', gif), files().put('/b.gif', 'image/gif', gif)]
    for (const url of urls) {
      const asked = { surface: '/api/v1', parts: [image(url)] } as const
      expect(await refusal(gateway, asked)).toContain(refused)
      expect((await askWith(gateway, asked)).text).toContain('PNG, JPEG, WebP, HEIF, HEIC or AVIF')
    }
  })
})

describe.each(surfaces)('an image on %s', surface => {
  it.each(['png', 'jpeg', 'webp'] as const)('of %s reaches the engine as it is', async format => {
    const url = dataUrl(`image/${format}`, await makePicture(format))
    expect(await seenParts(gateway, { surface, parts: [image(url)] })).toEqual([image(url)])
  })

  it('of AVIF is made a JPEG, which all engines read', async () => {
    const url = dataUrl('image/avif', await makePicture('avif'))
    const [part] = (await seenParts(gateway, { surface, parts: [image(url)] })) as ReturnType<typeof image>[]
    expect(part?.image_url.url).toMatch(/^data:image\/jpeg;base64,\/9j\//)
  })

  it('that moves, and one in print colours, are images', async () => {
    const urls = [dataUrl('image/webp', await makeAnimatedWebp()), dataUrl('image/jpeg', await makeCmykJpeg())]
    expect(await seenParts(gateway, { surface, parts: urls.map(image) })).toEqual(urls.map(image))
  })

  it('behind an address is fetched once, and the engine gets its bytes', async () => {
    const url = files().put('/cat.png', 'image/png', png)
    expect(await seenParts(gateway, { surface, parts: [image(url)] })).toEqual([image(dataUrl('image/png', png))])
    expect(files().requests).toEqual(['/cat.png'])
  })

  it('keeps its detail, and is named after its bytes', async () => {
    const url = dataUrl('image/jpg', png)
    const part = { type: 'image_url', image_url: { url, detail: 'low' } }
    expect(await seenParts(gateway, { surface, parts: [part] })).toEqual([
      { type: 'image_url', image_url: { url: dataUrl('image/png', png), detail: 'low' } },
    ])
  })

  it('too small, broken or of another kind is refused, and nothing is charged', async () => {
    const small = await makePicture('png', 63, 200)
    const jpeg = await makePicture('jpeg', 300, 300)
    const bad = [
      dataUrl('image/png', small),
      dataUrl('image/png', png.subarray(0, png.length - 30)),
      dataUrl('image/jpeg', jpeg.subarray(0, Math.floor(jpeg.length / 2))),
      dataUrl('image/png', Buffer.from('no image')),
      dataUrl('image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      dataUrl('image/gif', png),
      dataUrl('image/png', makePngBomb()),
    ]
    for (const url of bad) expect(await refusal(gateway, { surface, parts: [image(url)] })).toContain(refused)
  })

  it('behind an address that does not give it is refused in the same words, whatever is wrong', async () => {
    const server = files()
    const addresses = [
      server.at('/missing'),
      server.put('/page', 'text/html', png),
      server.put('/untyped', '', png),
      server.put('/broken', 'image/png', Buffer.from('x')),
      server.put('/large', 'image/png', Buffer.alloc(26_214_401)),
      server.answer('/moved', (_request, response) => void response.writeHead(302, { location: '/cat.png' }).end()),
      'http://127.0.0.1:1/cat.png',
      'http://localhost/cat.png',
      'http://169.254.169.254/latest/meta-data',
      'https://user:word@a.example/cat.png',
    ]
    const texts = new Set<string>()
    for (const url of addresses) texts.add(await refusal(gateway, { surface, parts: [image(url)] }))
    expect([...texts]).toEqual([expect.stringContaining(refused)])
  })

  it('has the engine’s own answer when it is sound, among ten others', async () => {
    const urls = await Promise.all(
      [100, 101, 102, 103].map(async width => dataUrl('image/png', await makePicture('png', width))),
    )
    expect(await seenParts(gateway, { surface, parts: urls.map(image) })).toEqual(urls.map(image))
  })
})

describe('the images of a conversation on /api/v1', () => {
  const surface = '/api/v1'
  const user = (...content: object[]) => ({ role: 'user', content })
  const contents = () => {
    const [request] = gateway.engine().requests
    const messages = (request?.body?.['messages'] ?? []) as readonly { readonly content: unknown }[]
    return messages.map(({ content }) => content)
  }

  it('are those of the last message that has any, for a model for one image; others are not fetched', async () => {
    const old = files().put('/old.png', 'image/png', png)
    const messages = [
      user(image(old)),
      user(image(files().put('/new.png', 'image/png', png))),
      user({ type: 'text', text: 'So?' }),
    ]
    expect((await askMessages(gateway, { surface, model: 'test/one-image', messages })).status).toBe(200)
    expect(contents()).toEqual(['', [image(dataUrl('image/png', png))], [{ type: 'text', text: 'So?' }]])
    expect(files().requests).toEqual(['/new.png'])
  })

  it('are the last ones up to `maxImages` of the model', async () => {
    const urls = await Promise.all(
      [70, 71, 72, 73, 74, 75].map(async width => dataUrl('image/png', await makePicture('png', width))),
    )
    const messages = [user(...urls.slice(0, 3).map(image)), user(...urls.slice(3).map(image))]
    expect((await askMessages(gateway, { surface, messages })).status).toBe(200)
    expect(contents()).toEqual([[image(urls[2]!)], urls.slice(3).map(image)])
  })

  it('are refused by a model that sees none, and above ten in a message', async () => {
    const parts = [image(dataUrl('image/png', png))]
    expect(await refusal(gateway, { surface, model: 'test/blind', parts })).toBe('Invalid request parameters')
    await refusal(gateway, { surface, parts: Array.from({ length: 11 }, () => parts[0]!) })
  })
})

describe('on /v1 an image', () => {
  const surface = '/v1'
  const odd = { type: 'image_url', image_url: 'data:image/gif;base64,R0lGODlh', of_tomorrow: 1e-2 }

  it('in the body is not looked at where the model’s checks are off, or nobody asked for them', async () => {
    for (const model of ['test/unchecked', 'test/blind']) {
      expect(await seenParts(gateway, { surface, model, parts: [odd] })).toEqual([odd])
      gateway.engine().forget()
    }
  })

  it('is looked at where checks are on, and behind an address always', async () => {
    expect(await refusal(gateway, { surface, model: 'test/checked', parts: [odd] })).toContain(refused)
    const address = { type: 'image_url', image_url: files().put('/cat.png', 'image/png', png) }
    expect(await seenParts(gateway, { surface, model: 'test/unchecked', parts: [address] })).toEqual([
      image(dataUrl('image/png', png)),
    ])
  })

  it('leaves what stands around its message as it came', async () => {
    const url = dataUrl('image/png', png)
    const before = '{"role":"user","content":"x","seed_of_tomorrow":1e-2}'
    const body = `{"model":"test/model", "big":12345678901234567890,"messages": [${before} ,{"role":"user","content":[${JSON.stringify(image(url))}]}],"after":0.10}`
    const answer = await gateway.client.send('/v1/chat/completions', { method: 'POST', body })
    expect(answer.status).toBe(200)
    const text = gateway.engine().requests[0]?.rawBody.toString() ?? ''
    expect(text).toContain(`"big":12345678901234567890,"messages": [${before} ,`)
    expect(text).toContain('"after":0.10')
  })

  it('cannot hide behind a second spelling of its member', async () => {
    const body = JSON.stringify({
      model: 'test/model',
      messages: [{ role: 'user', content: [image('http://127.0.0.1/')] }],
    })
    const twice = body.replace('"content":', '"content":"first","content":')
    expect((await gateway.client.send('/v1/chat/completions', { method: 'POST', body: twice })).status).toBe(400)
    expect(gateway.engine().requests).toHaveLength(0)
  })
})

it('a request that is refused leaves no trace in the account', async () => {
  const before = await gateway.client.credits()
  const parts = [image('http://10.0.0.1/a.png')]
  for (const surface of surfaces) expect((await askWith(gateway, { surface, parts })).status).toBe(400)
  expect(await gateway.client.credits()).toEqual(before)
})
