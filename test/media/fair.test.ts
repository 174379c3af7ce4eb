import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { waitFor } from '../support/wait-for.ts'
import { file, useMediaGateway } from './media-gateway.ts'

const { gateway, files } = useMediaGateway()

/** As many as one request fetches at a time. */
const together = 4
/** At 25 MB each, their media would be all that a gateway holds. */
const requests = 8

const bodyOf = (...parts: readonly object[]) => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Look' }, ...parts] }],
})

it('media that an account waits for take no room from the media of others', async () => {
  const [slow, other] = await Promise.all([gateway.openAccount('slow'), gateway.openAccount('other')])
  const waiting: ServerResponse[] = []
  const silent = (name: string) => files().answer(`/${name}`, (_, response) => void waiting.push(response))
  const bodies = Array.from({ length: requests }, (_, request) =>
    bodyOf(...Array.from({ length: together }, (_, part) => file(silent(`${request}-${part}`), 'notes.txt'))),
  )
  const answering = bodies.map(body => gateway.client.chat(body, { key: slow.key }))
  await waitFor('all of them to be asked for', () => waiting.length === requests * together)

  const notes = files().put('/notes.txt', 'text/plain', Buffer.from('a note'))
  const heard = await gateway.client.chat(bodyOf(file(notes)), { key: other.key })
  expect(heard.status).toBe(200)

  // A file that is not there becomes a text that says so.
  for (const response of waiting) response.writeHead(404).end()
  expect((await Promise.all(answering)).map(({ status }) => status)).toEqual(bodies.map(() => 200))
})
