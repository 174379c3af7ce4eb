import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { openRaw, type RawConnection } from '../support/raw-http.ts'
import { waitFor } from '../support/wait-for.ts'

const path = '/v1/chat/completions'
const declaredBytes = 36_700_160
const sentBytes = 36_000_000

const gateway = useGateway({ models: { 'test/model': {} }, accounts: { greedy: {}, modest: {} } })

/** A request whose body does not end: white space, of which JSON takes any amount. */
async function beginBody(key: string): Promise<RawConnection> {
  const connection = await openRaw(gateway.port)
  const head = ['Host: localhost', `Authorization: Bearer ${key}`, 'Content-Type: application/json']
  await connection.send(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\nContent-Length: ${declaredBytes}\r\n\r\n`)
  // Not waited for: what is refused is not read to its end.
  void connection.send(Buffer.alloc(sentBytes, ' '))
  return connection
}

describe('an account whose bodies never end', () => {
  it('is refused when it has three quarters of the room, and large bodies of others are taken', async () => {
    const { key } = gateway.account('greedy')
    const connections = await Promise.all(Array.from({ length: 7 }, () => beginBody(key)))
    const refused = () => connections.flatMap(({ responses }) => responses)
    await waitFor('the greedy account to be refused twice', () => refused().length === 2)
    for (const { status, text } of refused()) {
      expect(status).toBe(503)
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'no_capacity' } })
    }
    const content = 'x'.repeat(17_000_000)
    const body = { model: 'test/model', max_tokens: 1, messages: [{ role: 'user', content }] }
    const answered = await gateway.client.chat(body, { key: gateway.account('modest').key })
    expect(answered.status).toBe(200)
    for (const connection of connections) connection.destroy()
  })
})
