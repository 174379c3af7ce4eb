import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { GatewayError } from '../../core/gateway-error.ts'
import { invalidApiKey } from '../../core/invalid-api-key.ts'
import { StoreUnavailable } from '../../core/store-error.ts'
import { hashSecretText, issueApiKey, type KeyOrder } from './api-key.ts'
import { createIdentity } from './identity.ts'
import type { KnownKey } from './types.ts'

const secret = Buffer.alloc(32, 7)
const random = { bytes: randomBytes, hex: (count: number) => randomBytes(count).toString('hex') }
const start = 1_790_000_000_000

/** A store of one account, whose answers wait until they are let go when `held` is set. */
function setUp() {
  const rows = new Map<string, KnownKey>()
  const state = { now: start, reads: 0, held: null as Promise<void> | null, fault: null as Error | null }
  const account = {
    id: 'acc_1',
    name: 'default',
    mode: 'soft',
    pro: false,
    diemPerDayNano: 0n,
    createdAtMs: start,
  } as const
  const identity = createIdentity({
    secret,
    clock: { now: () => state.now, monotonic: () => state.now - start },
    store: {
      async findKeyByHash(hash) {
        state.reads += 1
        const row = rows.get(hash.toString('hex')) ?? null
        if (state.held !== null) await state.held
        if (state.fault !== null) throw state.fault
        return row
      },
    },
  })
  const put = (text: string, known: KnownKey) => rows.set(hashSecretText(text, secret).toString('hex'), known)
  const issue = (order: Partial<KeyOrder> = {}) => {
    const issued = issueApiKey(
      { accountId: account.id, label: 'test', ...order },
      { prefix: 'vk-', secret, random, nowMs: start },
    )
    put(issued.text, { key: issued.key, account })
    return { header: `Bearer ${issued.text}`, key: issued.key, text: issued.text }
  }
  const revoke = (issued: ReturnType<typeof issue>) =>
    put(issued.text, { key: { ...issued.key, revokedAtMs: state.now }, account })
  return { identity, state, issue, revoke }
}

async function rejectionOf(promise: Promise<unknown>): Promise<GatewayError> {
  return promise.then(
    () => {
      throw new Error('it was accepted')
    },
    (error: GatewayError) => error,
  )
}

describe('a caller', () => {
  it('is found by the key, with account, type and models', async () => {
    const { identity, issue } = setUp()
    const { header, key } = issue({ type: 'admin', allowedModels: ['example/model'] })
    expect(await identity.authenticate(header)).toEqual({
      accountId: 'acc_1',
      accountName: 'default',
      keyId: key.id,
      keyType: 'admin',
      allowedModels: new Set(['example/model']),
      privacy: 'all',
      pro: false,
    })
    expect((await identity.identify(header)).key).toEqual(key)
  })

  it('gets one and the same 401 for every credential that does not count', async () => {
    const { identity, issue, revoke, state } = setUp()
    const revoked = issue()
    revoke(revoked)
    const expired = issue({ expiresAtMs: state.now })
    const headers = [
      undefined,
      '',
      'Basic abc',
      'Bearer nonsense',
      `Bearer vk-${'a'.repeat(43)}`,
      revoked.header,
      expired.header,
    ]
    for (const header of headers) {
      const error = await rejectionOf(identity.authenticate(header))
      expect(error).toMatchObject({ status: 401, code: 'invalid_api_key', message: invalidApiKey().message })
      expect(await rejectionOf(identity.identify(header))).toMatchObject({ status: 401 })
    }
  })

  it('costs no read of the store when there is no credential', async () => {
    const { identity, state } = setUp()
    await rejectionOf(identity.authenticate('Basic abc'))
    expect(state.reads).toBe(0)
  })
})

describe('what is remembered', () => {
  it('spares the store half a second, and is read anew after it', async () => {
    const { identity, issue, state } = setUp()
    const { header } = issue()
    for (const afterMs of [0, 499]) {
      state.now = start + afterMs
      await identity.authenticate(header)
      expect(state.reads).toBe(1)
    }
    state.now = start + 500
    await identity.authenticate(header)
    expect(state.reads).toBe(2)
  })

  it('lets a revocation take effect within half a second, counted from when the key was read', async () => {
    const { identity, issue, revoke, state } = setUp()
    const issued = issue()
    let letGo: () => void = () => undefined
    state.held = new Promise(resolve => {
      letGo = resolve
    })
    const slow = identity.authenticate(issued.header)
    await Promise.resolve()
    revoke(issued)
    state.now = start + 400
    letGo()
    await slow
    state.held = null
    state.now = start + 500
    expect(await rejectionOf(identity.authenticate(issued.header))).toMatchObject({ status: 401 })
  })

  it('does not outlast an expiry', async () => {
    const { identity, issue, state } = setUp()
    const { header } = issue({ expiresAtMs: start + 100 })
    await identity.authenticate(header)
    state.now = start + 100
    expect(await rejectionOf(identity.authenticate(header))).toMatchObject({ status: 401 })
    expect(state.reads).toBe(1)
  })

  it('holds for unknown keys too, and a new key counts half a second later at the latest', async () => {
    const { identity, issue, state } = setUp()
    const stranger = `Bearer vk-${'b'.repeat(43)}`
    await rejectionOf(identity.authenticate(stranger))
    await rejectionOf(identity.authenticate(stranger))
    expect(state.reads).toBe(1)
    const { header } = issue()
    expect(await identity.authenticate(header)).toMatchObject({ accountId: 'acc_1' })
  })

  it('is bounded: known callers stay while strangers come in thousands', async () => {
    const { identity, issue, state } = setUp()
    const { header } = issue()
    await identity.authenticate(header)
    for (let index = 0; index < 1_500; index++) await rejectionOf(identity.authenticate(`Bearer stranger-${index}`))
    state.reads = 0
    await identity.authenticate(header)
    expect(state.reads).toBe(0)
    await rejectionOf(identity.authenticate('Bearer stranger-0'))
    expect(state.reads).toBe(1)
  })
})

describe('the store', () => {
  it('is asked once by many callers with the same key at the same time', async () => {
    const { identity, issue, state } = setUp()
    const { header } = issue()
    await Promise.all(Array.from({ length: 50 }, () => identity.authenticate(header)))
    expect(state.reads).toBe(1)
  })

  it('that cannot answer makes it 503, never 401, and the next request asks again', async () => {
    const { identity, issue, state } = setUp()
    const { header } = issue()
    state.fault = new StoreUnavailable('database is locked: /data/file.db')
    const error = await rejectionOf(identity.authenticate(header))
    expect(error).toMatchObject({ status: 503, code: 'ledger_unavailable', options: { retryAfterSeconds: 2 } })
    expect(error.message).not.toContain('database')
    state.fault = null
    expect(await identity.authenticate(header)).toMatchObject({ accountId: 'acc_1' })
  })

  it('that fails in an unforeseen way is not taken for a wrong key', async () => {
    const { identity, issue, state } = setUp()
    const { header } = issue()
    state.fault = new TypeError('bug')
    expect(await rejectionOf(identity.authenticate(header))).toBeInstanceOf(TypeError)
  })
})
