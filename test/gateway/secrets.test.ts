import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chunksOf, expectError, useGateway } from '../support/gateway/index.ts'
import { findSecrets } from '../support/gateway/secrets.ts'
import {
  errorBodies,
  errorEvent,
  leakyHeaders,
  redirect,
  startMockEngine,
  status,
} from '../support/mock-engine/index.ts'

/** What must stay inside stays inside. The harness looks for planted texts in all logs and errors after each test. */

const gateway = useGateway({
  engines: { main: {}, second: {} },
  models: { 'test/model': {}, 'test/two': { engines: ['main', 'second'] } },
})

/** What engines say when they are asked wrongly, with all that they should not say. */
function indiscretions(): string[] {
  const { engineKey } = gateway.secrets
  const address = gateway.engine().url
  return [
    `Incorrect API key provided: ${engineKey}. Find it at ${address}/keys`,
    `Authorization: Bearer ${engineKey}`,
    `connection refused: 10.1.2.3:8000 via gpu-7.cluster.local:8000 and [fe80::1]:9000`,
    `The model \`internal-name-of-test-model\` does not exist at ${address}`,
    `Traceback (most recent call last):\n  File "/opt/engine/serve.py", line 3\nValueError: no`,
    `boom\n    at Server.handle (/srv/engine/node_modules/x/index.js:10:5)\n    at next (native)`,
  ]
}

describe('an engine’s words', () => {
  it('reach the caller without addresses, keys, stacks and the engine’s name of the model', async () => {
    for (const words of indiscretions()) {
      for (const shape of ['openAi', 'detail', 'plain', 'html'] as const) {
        gateway.engine().next(status(400, { body: errorBodies[shape](words) }))
        const { text } = await gateway.client.chat()
        for (const part of ['10.1.2.3', 'gpu-7', 'fe80', 'internal-name-of', '/opt/engine', '/srv/engine', '127.0.0.1'])
          expect(text).not.toContain(part)
      }
    }
  })

  it('that come with a fault of the node reach nobody', async () => {
    for (const code of [401, 403, 404, 500, 503]) {
      for (const words of indiscretions()) {
        gateway.engine().next(status(code, { body: errorBodies.openAi(words) }))
        expectError(await gateway.client.chat(), { status: 502, code: 'upstream_error' })
      }
    }
  })

  it('inside of a stream reach nobody', async () => {
    for (const words of indiscretions()) {
      const data = JSON.stringify({ error: { message: words } })
      gateway.engine().next(errorEvent({ afterChunks: 1, data }))
      const error = chunksOf(await gateway.client.stream()).at(-1)?.error
      expect(error?.message).not.toMatch(/refused|http|key|serve\.py/i)
    }
  })
})

describe('an engine’s key', () => {
  it('is sent to the engine that it is for, and not to where a redirect points', async () => {
    const elsewhere = await startMockEngine()
    gateway.engine().next(redirect(`${elsewhere.url}/chat/completions`))
    expectError(await gateway.client.chat(), { status: 502, code: 'upstream_error' })
    expect(elsewhere.requests).toHaveLength(0)
    await elsewhere.close()
  })

  it('and its headers never come back to the caller', async () => {
    const { secrets } = gateway
    gateway
      .engine()
      .next(leakyHeaders(() => [...status(200, { body: '{}', headers: [['X-Echo', secrets.engineKey]] })({} as never)]))
    const { headers, text } = await gateway.client.chat()
    expect(JSON.stringify(headers) + text).not.toContain(secrets.engineKey)
  })
})

describe('a caller’s secrets', () => {
  it('never reach an engine', async () => {
    await gateway.client.chat({}, { headers: { 'idempotency-key': 'private-name', cookie: 'private=1' } })
    const seen = JSON.stringify(gateway.engine().requests.map(({ rawHeaders }) => rawHeaders))
    for (const secret of [gateway.account().key, 'private-name', 'private=1']) expect(seen).not.toContain(secret)
  })

  it('are not repeated by errors about them', async () => {
    const key = 'vk-wrong-canary-key-of-a-caller'
    const answered = await gateway.client.chat({}, { key })
    expect(answered.text).not.toContain(key)
    const { text } = await gateway.client.chat(`{"model":"test/model","messages":"${gateway.secrets.prompt}"}`)
    expect(text).not.toContain(gateway.secrets.prompt)
  })
})

describe('what lies in the data folder', () => {
  it('holds no key, no prompt and no answer in plain text, stored replays included', async () => {
    const headers = { 'idempotency-key': 'stored' }
    expect((await gateway.client.chat({}, { headers })).status).toBe(200)
    expect((await gateway.client.stream({}, { headers: { 'idempotency-key': 'stored-stream' } })).status).toBe(200)
    const folder = join(gateway.installation.folder, 'data')
    const files = await readdir(folder, { recursive: true, withFileTypes: true })
    const names = files.filter(file => file.isFile()).map(file => join(file.parentPath, file.name))
    expect(names.length).toBeGreaterThan(0)
    const secrets = { ...gateway.secrets, key: gateway.account().key }
    for (const name of names)
      expect([name, findSecrets((await readFile(name)).toString('latin1'), secrets)]).toEqual([name, []])
  })
})
