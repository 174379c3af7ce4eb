import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createAccountByCommand, issueKey } from '../support/gateway/accounts.ts'
import { chunksOf, expectError, nanoOf, useGateway } from '../support/gateway/index.ts'
import { stretched } from '../support/lapse.ts'
import { answer } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'

const gateway = useGateway({ models: { 'test/model': {}, 'test/other': {} } })

const newKey = (...parameters: string[]) => issueKey(gateway.installation, 'main', parameters)
const revoke = (id: string) => gateway.rialto('key', 'revoke', id)
const revocationMs = 1_000

describe('a caller without a usable key gets one and the same 401', () => {
  it('whether there is none, it is malformed, unknown, revoked or expired', async () => {
    const store = await gateway.store()
    const revoked = await newKey()
    const expired = await store.issueKey('main', { expiresAtMs: Date.now() + 1_500 })
    expect((await gateway.client.chat({}, { key: expired.key })).status).toBe(200)
    expect((await revoke(revoked.id)).code).toBe(0)
    await sleep(1_700)
    const { key } = gateway.account()
    const authorizations: (string | undefined)[] = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Basic ${key}`,
      key,
      `Bearer ${key} ${key}`,
      `Bearer ${key}x`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key.toUpperCase()}`,
      `Bearer vk-${'0'.repeat(64)}`,
      `Bearer ${'x'.repeat(8_000)}`,
      `Bearer ${revoked.key}`,
      `Bearer ${expired.key}`,
      `Bearer ${gateway.secrets.engineKey}`,
    ]
    const bodies = new Set<string>()
    for (const authorization of authorizations) {
      const headers = authorization === undefined ? {} : { authorization }
      for (const answered of [
        await gateway.client.chat({}, { key: null, headers }),
        await gateway.client.send('/v1/credits', { key: null, headers }),
      ]) {
        expectError(answered, { status: 401, code: 'invalid_api_key' })
        bodies.add(answered.text)
      }
    }
    expect(bodies.size).toBe(1)
    expect(gateway.engine().requests).toHaveLength(1)
  })

  it('also when the body is wrong, the model unknown or the method not allowed', async () => {
    const texts = await Promise.all([
      gateway.client.chat('{', { key: 'vk-none' }),
      gateway.client.chat({ model: 'nothing' }, { key: 'vk-none' }),
      gateway.client.chat({}, { key: 'vk-none', headers: { 'content-type': 'text/plain' } }),
      gateway.client.send('/v1/chat/completions', { key: 'vk-none', method: 'PUT' }),
    ])
    for (const answered of texts) expectError(answered, { status: 401, code: 'invalid_api_key' })
  })

  it('a key in the address or in another header is none', async () => {
    const { key } = gateway.account()
    const inAddress = await gateway.client.send(`/v1/credits?key=${key}&api_key=${key}`, { key: null })
    const inHeader = await gateway.client.send('/v1/credits', { key: null, headers: { 'x-api-key': key } })
    for (const answered of [inAddress, inHeader]) expectError(answered, { status: 401, code: 'invalid_api_key' })
  })
})

describe('an account', () => {
  it('that was made while the gateway runs has its credit and its key within a second', async () => {
    const { key, id, name } = await createAccountByCommand(gateway.installation, 'newcomer', { credit: 2.5 })
    const answered = await waitFor('the key', async () => {
      const tried = await gateway.client.chat({}, { key })
      return tried.status === 200 && tried
    })
    const { creditedNano, usedNano } = await gateway.client.credits(key)
    expect([creditedNano, usedNano]).toEqual([nanoOf(2.5), nanoOf(answered.json.usage?.cost ?? -1)])
    expect(await gateway.rialtoJson('account', 'show', name)).toMatchObject({
      id,
      mode: 'soft',
      balanceUsd: String(2.5 - (answered.json.usage?.cost ?? 0)),
      heldUsd: '0',
    })
  })
})

describe('a key', () => {
  it('is long, is shown once, and is found by the scheme in any case', async () => {
    const { key, id } = await newKey()
    expect(key).toMatch(/^vk-/)
    expect(key.length).toBeGreaterThanOrEqual(3 + 43)
    const listed = await gateway.rialto('key', 'list', '--json')
    expect(listed.stdout).toContain(id)
    expect(listed.stdout).not.toContain(key)
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const answered = await gateway.client.send('/v1/key', {
        key: null,
        headers: { authorization: `${scheme} ${key}` },
      })
      expect(answered.status).toBe(200)
    }
  })

  it('that was made while the gateway runs works within a second', async () => {
    const { key } = await newKey()
    await waitFor('the key', async () => (await gateway.client.send('/v1/key', { key })).status === 200, {
      withinMs: stretched(1_000),
    })
  })
})

describe('a key that may use some models', () => {
  it('uses those and is refused the others, before money and engine', async () => {
    const { key } = await (await gateway.store()).issueKey('main', { allowedModels: ['test/other'] })
    expect((await gateway.client.chat({ model: 'test/other' }, { key })).status).toBe(200)
    const refused = await gateway.client.chat({ model: 'test/model' }, { key })
    expectError(refused, { status: 403, code: 'model_not_allowed' })
    expectError(await gateway.client.chat({ model: 'test/none' }, { key }), { status: 404, code: 'model_not_found' })
    expect(gateway.engine().requests).toHaveLength(1)
  })
})

describe('a revocation by another process', () => {
  it('takes effect within a second, however busy the key is', async () => {
    const { key, id } = await newKey()
    let stop = false
    const seen: { at: number; status: number }[] = []
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!stop) {
          const at = performance.now()
          seen.push({ at, status: (await gateway.client.chat({}, { key })).status })
        }
      }),
    )
    await sleep(300)
    expect((await revoke(id)).code).toBe(0)
    const revokedAt = performance.now()
    await sleep(revocationMs + 500)
    stop = true
    await load
    expect(seen.filter(({ at }) => at < revokedAt - 1_000).every(({ status }) => status === 200)).toBe(true)
    const late = seen.filter(({ at }) => at > revokedAt + revocationMs)
    expect(late.length).toBeGreaterThan(0)
    expect(late.filter(({ status }) => status !== 401)).toEqual([])
  })

  it('lets a running stream end and settles it; the next request is refused', async () => {
    const store = await gateway.store()
    const { key, id } = await store.issueKey('main')
    gateway.engine().always(answer({ chunks: 30, everyMs: 120 }))
    const reading = await gateway.client.openStream({}, { key })
    await reading.receive(3)
    await store.revokeKey(id)
    await sleep(revocationMs)
    expect(reading.endedAt).toBeUndefined()
    expectError(await gateway.client.chat({}, { key }), { status: 401, code: 'invalid_api_key' })
    expect(await reading.ended).toBe('complete')
    expect(chunksOf(reading).at(-1)?.usage).toMatchObject({ completion_tokens: 30 })
  })

  it('of an unknown key is an error of the command', async () => {
    const { code } = await revoke('key_unknown')
    expect(code).not.toBe(0)
  })
})
