import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { chunksOf, expectError, streamedText } from '../support/gateway/index.ts'
import { films } from '../support/media/sounds-and-films.ts'
import { waitFor } from '../support/wait-for.ts'
import { file, image, type Surface, surfaces, useMediaGateway, video } from './media-gateway.ts'

const { gateway, files } = useMediaGateway()
const film = films['mp4'] ?? Buffer.alloc(0)
const refusedFilm = 'Supplied video did not pass validation checks.'
const refusedImage = 'Supplied image did not pass validation checks.'
const pathOf = (surface: Surface) => `${surface}/chat/completions`
const bodyOf = (...parts: readonly object[]) => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Look' }, ...parts] }],
})

/** As many as are fetched at a time, so that what stands behind them is fetched when they have come. */
const together = ['1', '2', '3', '4']
/** Less than one medium may take. */
const patienceMs = 6_500

/** Media of one request on a slow host: four files, and a film once they are there. They come when the test says so. */
function slowMedia(name: string) {
  const waiting = { files: [] as ServerResponse[], film: [] as ServerResponse[] }
  const hold = (path: string, kind: keyof typeof waiting) =>
    files().answer(`/${name}/${path}`, (_, response) => void waiting[kind].push(response))
  const parts = [...together.map(number => file(hold(number, 'files'), 'notes.txt')), video(hold('film', 'film'))]
  return {
    body: bodyOf(...parts),
    waiting,
    /** A file that is not there becomes a text, which takes no time. */
    giveFiles: () => waiting.files.forEach(response => void response.writeHead(404).end()),
    giveFilm: (bytes: Buffer) =>
      waiting.film.forEach(response => void response.writeHead(200, { 'content-type': 'video/mp4' }).end(bytes)),
  }
}

/**
 * A medium may take eight seconds and a keep-alive leaves after ten, so that only media that wait for others take longer.
 * It is done once for all of it.
 */
it('media that take long let keep-alives go out, and what is refused afterwards is in-band and free', async () => {
  const { key } = await gateway.openAccount('waits')
  const [good, left, whole] = [slowMedia('good'), slowMedia('left'), slowMedia('whole')]
  const bad = surfaces.map(surface => ({ path: pathOf(surface), ...slowMedia(`bad${surface}`) }))
  const media = [good, left, whole, ...bad]
  const opening = Promise.all([
    gateway.client.openStream(good.body, { path: pathOf('/api/v1') }),
    gateway.client.openStream(left.body, { key }),
    ...bad.map(({ body, path }) => gateway.client.openStream(body, { path, key })),
  ])
  const answering = gateway.client.chat(whole.body, { key })
  await waitFor('the files', () => media.every(({ waiting }) => waiting.files.length === together.length))
  await sleep(patienceMs)
  for (const { giveFiles } of media) giveFiles()
  await waitFor('the films', () => media.every(({ waiting }) => waiting.film.length === 1))
  const streams = await opening
  await waitFor('the comments', () => streams.every(({ comments }) => comments.length > 0))
  for (const { status, comments, events } of streams)
    expect([status, comments, events]).toEqual([200, ['keep-alive'], []])
  expect(gateway.engine().requests).toEqual([])
  const { availableNano, balanceNano } = await gateway.client.credits(key)
  expect(availableNano).toBeLessThan(balanceNano)

  const [answered, abandoned, ...refused] = streams
  abandoned.abort()
  await waitFor('its film to be left', () => left.waiting.film[0]?.closed)
  good.giveFilm(film)
  for (const { giveFilm } of [...bad, whole]) giveFilm(Buffer.from('no film'))
  expect(await answered.ended).toBe('complete')
  expect([streamedText(answered), answered.doneCount]).toEqual([expect.stringContaining('The engine says'), 1])
  expect(refused).toHaveLength(surfaces.length)
  for (const stream of refused) {
    expect(await stream.ended).toBe('complete')
    const error = {
      message: expect.stringContaining(refusedFilm),
      type: 'invalid_request_error',
      code: 'invalid_media',
    }
    expect(chunksOf(stream)).toEqual([{ error: { ...error, param: 'messages.0.content.5.video_url.url' } }])
    expect(stream.doneCount).toBe(1)
  }
  expectError(await answering, { status: 400, code: 'invalid_media' })
  expect(gateway.engine().requests).toHaveLength(1)
  const credits = await waitFor('all holds to be released', async () => {
    const now = await gateway.client.credits(key)
    return now.availableNano === now.balanceNano && now
  })
  expect(credits.usedNano).toBe(0n)
}, 60_000)

it.each(surfaces)(
  'what is refused before the first keep-alive has its own status in a stream too, on %s',
  async surface => {
    const url = files().answer('/gone.png', (_, response) => void response.writeHead(404).end())
    const before = await gateway.client.credits()
    const refused = await gateway.client.stream(bodyOf(image(url)), { path: pathOf(surface) })
    expect([refused.status, refused.headers['content-type']]).toEqual([400, 'application/json; charset=utf-8'])
    const { error } = JSON.parse(refused.text) as { error: string | { message: string } }
    if (surface === '/v1')
      expect(error).toMatchObject({ message: expect.stringContaining(refusedImage), code: 'invalid_media' })
    else expect(error).toBe(refusedImage)
    expect(gateway.engine().requests).toEqual([])
    expect(await gateway.client.credits()).toEqual(before)
  },
)
