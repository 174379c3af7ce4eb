import { describe, expect, it } from 'vitest'
import { chunksOf, expectError, useGateway } from '../support/gateway/index.ts'
import { answer, delayed, reset, status } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'

const gateway = useGateway({ accounts: { other: {}, poor: { credit: 0 } } })

let count = 0
/** A key that no other test uses. */
function newKey(): { readonly 'idempotency-key': string } {
  count += 1
  return { 'idempotency-key': `key-${count}` }
}

describe('a request that is repeated under its Idempotency-Key', () => {
  it('is answered again with the same status and body, without an engine and without a charge', async () => {
    const headers = newKey()
    const first = await gateway.client.chat({}, { headers })
    const before = await gateway.client.credits()
    const second = await gateway.client.chat({}, { headers })
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    expect(second.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'content-type': first.headers['content-type'],
      'cache-control': 'private, no-store',
      'x-generation-id': first.headers['x-generation-id'],
    })
    expect(await gateway.client.credits()).toEqual(before)
    expect(gateway.engine().requests).toHaveLength(1)
  })

  it('as a stream gets the recorded events again', async () => {
    const headers = newKey()
    const first = await gateway.client.stream({}, { headers })
    const second = await gateway.client.stream({}, { headers })
    expect(second.status).toBe(200)
    expect(second.headers).toMatchObject({
      'content-type': first.headers['content-type'],
      'idempotent-replayed': 'true',
      'x-generation-id': first.headers['x-generation-id'],
    })
    expect(second.text).toBe(first.text)
    expect(gateway.engine().requests).toHaveLength(1)
  })

  it('with another body is refused, however small the difference', async () => {
    const headers = newKey()
    await gateway.client.chat({ seed: 1 }, { headers })
    expectError(await gateway.client.chat({ seed: 2 }, { headers }), { status: 422, code: 'idempotency_key_reused' })
    expect(gateway.engine().requests).toHaveLength(1)
  })

  it('while it runs is told to come back in a second', async () => {
    const headers = newKey()
    gateway.engine().next(delayed(800, answer()))
    const running = gateway.client.chat({}, { headers })
    await waitFor('the engine', () => gateway.engine().requests.length === 1)
    const repeated = await gateway.client.chat({}, { headers })
    expectError(repeated, { status: 409, code: 'idempotency_in_progress' })
    expect(repeated.headers['retry-after']).toBe('1')
    expect((await running).status).toBe(200)
    expect((await gateway.client.chat({}, { headers })).headers['idempotent-replayed']).toBe('true')
  })

  it('fifty times at once runs once and is charged once', async () => {
    const headers = newKey()
    gateway.engine().always(delayed(300, answer()))
    const before = await gateway.client.credits()
    const answers = await Promise.all(Array.from({ length: 50 }, () => gateway.client.chat({}, { headers })))
    const statuses = answers.map(({ status: seen }) => seen).sort()
    expect(statuses[0]).toBe(200)
    expect(new Set(statuses.slice(1))).toEqual(new Set([409]))
    expect(gateway.engine().requests).toHaveLength(1)
    const won = answers.find(({ status: seen }) => seen === 200)
    const after = await gateway.client.credits()
    expect(Number(before.balanceNano - after.balanceNano) / 1e9).toBeCloseTo(won?.json.usage?.cost ?? -1, 12)
  })

  it('by another account is another request', async () => {
    const headers = newKey()
    await gateway.client.chat({}, { headers })
    const foreign = await gateway.client.chat({}, { headers, key: gateway.account('other').key })
    expect(foreign.status).toBe(200)
    expect(foreign.headers).not.toHaveProperty('idempotent-replayed')
    expect(gateway.engine().requests).toHaveLength(2)
  })

  it('is answered from what was stored also after a restart', async () => {
    const headers = newKey()
    const first = await gateway.client.chat({}, { headers })
    await gateway.process.stop()
    await gateway.serve()
    const second = await gateway.client.chat({}, { headers })
    expect([second.status, second.text]).toEqual([200, first.text])
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(gateway.engine().requests).toHaveLength(1)
  })
})

describe('a failure that charged nothing frees the key', () => {
  it.each([
    ['every node failed', status(503), 502],
    ['the engine refused', status(400), 400],
    ['the engine broke off before its first token', reset('after-headers'), 502],
  ])('when %s', async (_, behaviour, expected) => {
    for (const stream of [false, true]) {
      const headers = newKey()
      gateway.engine().next(behaviour)
      expect((await gateway.client.chat({ stream }, { headers })).status).toBe(expected)
      const again = await gateway.client.chat({ stream }, { headers })
      expect(again.status).toBe(200)
      expect(again.headers).not.toHaveProperty('idempotent-replayed')
    }
  })

  it('when the stream failed midway', async () => {
    const headers = newKey()
    gateway.engine().next(reset({ chunks: 2 }))
    const failed = await gateway.client.stream({}, { headers })
    expect(chunksOf(failed).at(-1)?.error).toBeDefined()
    const again = await gateway.client.stream({}, { headers })
    expect(chunksOf(again).at(-1)?.usage).toBeDefined()
  })

  it('when money was short', async () => {
    const headers = newKey()
    const { key, name } = gateway.account('poor')
    expectError(await gateway.client.chat({}, { headers, key }), { status: 402, code: 'insufficient_balance' })
    await gateway.rialtoJson('credit', name, '1')
    expect((await gateway.client.chat({}, { headers, key })).status).toBe(200)
  })
})

describe('an answer that cannot be replayed', () => {
  it('because its caller left is not run again: it was charged', async () => {
    const headers = newKey()
    gateway.engine().next(answer({ chunks: 100, everyMs: 30 }))
    const reading = await gateway.client.openStream({}, { headers })
    await reading.receive(5)
    reading.abort()
    const id = String(reading.headers['x-generation-id'])
    await waitFor('the record', () => gateway.client.generation(id))
    const again = await waitFor('the key to be closed', async () => {
      const repeated = await gateway.client.chat({ stream: true }, { headers })
      return repeated.json.error?.code !== 'idempotency_in_progress' && repeated
    })
    const error = expectError(again, { status: 409, code: 'not_replayable' })
    expect(error['request_id']).toBe(reading.headers['x-request-id'])
    expect(again.headers['x-should-retry']).toBe('false')
    expect(gateway.engine().requests).toHaveLength(1)
  })

  it('because it is longer than a mebibyte is not run again', async () => {
    const headers = newKey()
    gateway.engine().next(answer({ text: ['x'.repeat(1_200_000)] }))
    const first = await gateway.client.chat({}, { headers })
    expect(first.status).toBe(200)
    expectError(await gateway.client.chat({}, { headers }), { status: 409, code: 'not_replayable' })
  })
})

describe('a key that is none', () => {
  it.each([' ', 'a b', 'ü', 'x'.repeat(256), 'a,b', 'a/b'])('%j is refused before anything is held', async key => {
    const headers = { 'idempotency-key': encodeURIComponent(key) === key ? key : Buffer.from(key).toString('latin1') }
    const answered = await gateway.client.chat({}, { headers })
    expectError(answered, { status: 400, code: 'invalid_value', param: 'Idempotency-Key' })
    expect(gateway.engine().requests).toHaveLength(0)
  })
})
