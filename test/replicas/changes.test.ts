import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { issueApiKey } from '../../src/domain/identity/api-key.ts'
import { random } from '../conformance/builders.ts'
import { addCustomer, openPostgres } from '../conformance/open-test-storage.ts'
import { nanoOf, priceOf, testPricing } from '../support/gateway/index.ts'
import { eventsNamed } from '../support/gateway/log-lines.ts'
import { answer } from '../support/mock-engine/index.ts'
import { createDatabase, describePostgres, query, type TestDatabase } from '../support/postgres/index.ts'
import { openSse } from '../support/read-sse.ts'
import { waitFor } from '../support/wait-for.ts'
import { expectEverywhere } from './arrival.ts'
import { operatorToken, type Replica, ReplicaSet, type Settings, secret } from './replica-set.ts'

describePostgres('three gateways on one database', () => {
  let database: TestDatabase
  let set: ReplicaSet
  let replicas: readonly Replica[]
  let storage: Storage

  beforeAll(async () => {
    database = await createDatabase()
    set = await ReplicaSet.start(database.url, 3)
    replicas = set.replicas
    storage = await openPostgres(database.url, 'command')
  })
  afterAll(async () => {
    await storage?.close()
    await set?.close()
  })

  const host = (index: number): Replica => {
    const replica = replicas[index]
    if (replica === undefined) throw new Error(`there is no replica ${index}`)
    return replica
  }
  /** As the command makes it, of an account with so many nano-dollars. */
  const newKey = async (balanceNano = 1_000_000_000n) => {
    const { account } = await addCustomer(storage, { balanceNano, account: { mode: 'soft' } })
    const issuer = { prefix: 'vk-', secret: Buffer.from(secret), random, nowMs: Date.now() }
    const { key, hash, text } = issueApiKey({ accountId: account.id, label: 'test' }, issuer)
    await storage.identity.createKey(key, hash)
    return { id: key.id, key: text, accountId: account.id }
  }
  const statusOf = async (replica: Replica, key: string) => (await replica.chat(key)).status
  const stateOf = async (replica: Replica, id: string) => {
    const { data } = (await replica.get('/admin/v1/engines', operatorToken)).json as {
      data: { id: string; state: string }[]
    }
    return data.find(engine => engine.id === id)?.state
  }
  const drain = async (replica: Replica, id: string, isDrained = true) => {
    const answered = await replica.post(`/admin/v1/engines/${id}/drain`, { drain: isDrained }, operatorToken)
    expect(answered.status).toBe(200)
    return answered.json
  }
  const setInput = (price: number) => (settings: Settings) => {
    for (const model of settings.models) model.pricing = { ...testPricing, inputUsdPerMTok: price }
  }
  const inputPriceOf = async (replica: Replica) => {
    const { data } = (await replica.get('/v1/models')).json as { data: { pricing: { prompt: string } }[] }
    return Number(data[0]?.pricing.prompt) * 1_000_000
  }
  const hasInputPrice = (price: number) => async (replica: Replica) =>
    Math.abs((await inputPriceOf(replica)) - price) < 1e-9
  const sayCannotListen = () =>
    query(
      database.url,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rialto listener'",
    )

  it('refuse a revoked key, also where nothing is paid', async () => {
    const { id, key } = await newKey()
    for (const path of ['/v1/key', '/v1/credits']) {
      for (const replica of replicas) expect((await replica.get(path, key)).status).toBe(200)
    }
    await expectEverywhere({
      replicas,
      isThere: async replica => (await replica.get('/v1/key', key)).status === 401,
      make: () => storage.identity.revokeKey(id, Date.now()),
    })
    for (const replica of replicas) expect(await statusOf(replica, key)).toBe(401)
  })

  it('hold a key to a limit that was lowered, and an account to another mode', async () => {
    const { id, key, accountId } = await newKey()
    await expectEverywhere({
      replicas,
      isThere: async replica => (await statusOf(replica, key)) === 402,
      make: () => storage.identity.changeKey(id, { limitNano: 0n }, { accountId, nowMs: Date.now() }),
    })
    // What is set aside for a call is more than they have, so that each takes one call at a time while it is soft.
    const poor = await Promise.all(replicas.map(() => newKey(500_000n)))
    const keys = new Map(replicas.map((replica, index) => [replica, poor[index]?.key ?? '']))
    await expectEverywhere({
      replicas,
      isThere: async replica => (await replica.chat(keys.get(replica) ?? '', { max_tokens: 900 })).status === 402,
      make: () =>
        Promise.all(poor.map(({ accountId }) => storage.identity.changeAccount(accountId, { mode: 'strict' }))),
    })
  })

  it('sell at the price of a file that one of them has; what runs keeps its own', async () => {
    const usage = { prompt: 16, completion: 20 }
    for (const engine of Object.values(set.engines)) engine.next(answer({ chunks: usage.completion, everyMs: 100 }))
    const running = await openSse({
      url: `http://127.0.0.1:${host(0).port}/v1/chat/completions`,
      headers: { authorization: `Bearer ${set.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'test/model', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    await running.receive(2)
    await expectEverywhere({ replicas, isThere: hasInputPrice(3), make: () => host(1).edit(setInput(3)) })
    expect(running.endedAt).toBeUndefined()
    await running.ended
    const path = `/v1/generation?id=${running.headers['x-generation-id']}`
    const { data } = (await host(2).get(path, set.key)).json as { data: { total_cost: number } }
    expect(nanoOf(data.total_cost)).toBe(priceOf(usage, testPricing))
  })

  it('offer a model that one of them was given', async () => {
    const has = async (replica: Replica) => (await replica.get('/v1/models/test/new')).status === 200
    await expectEverywhere({
      replicas,
      isThere: has,
      make: () =>
        host(1).edit(settings => {
          const [model] = settings.models
          if (model !== undefined) settings.models.push({ ...model, id: 'test/new', traits: [], compatibility: [] })
        }),
    })
    for (const replica of replicas) {
      expect((await replica.chat(set.key, { model: 'test/new' })).status).toBe(200)
    }
    const keys = Object.values(set.engines).flatMap(({ requests }) =>
      requests.map(({ headers }) => headers.authorization),
    )
    expect(new Set(keys)).toEqual(new Set(['Bearer sk-engine']))
  })

  it('keep what they have when a file cannot be used', async () => {
    const price = await inputPriceOf(host(0))
    await host(1).edit(setInput(-1))
    await waitFor('the refusal', () => eventsNamed(host(1).output, 'config.refused').length)
    for (const replica of replicas) expect(await inputPriceOf(replica)).toBe(price)
    await host(1).edit(setInput(3))
  })

  it('give a drained engine nothing more, and end what runs on it', async () => {
    set.engines.a.next(answer({ chunks: 10, everyMs: 100 }))
    set.engines.b.next(answer({ chunks: 10, everyMs: 100 }))
    const running = replicas.map(replica => replica.chat(set.key))
    await waitFor('the calls to run', () => set.engines.a.openSockets + set.engines.b.openSockets >= 3)
    await expectEverywhere({
      replicas,
      isThere: async replica => (await stateOf(replica, 'a')) === 'draining',
      make: () => drain(host(2), 'a'),
    })
    const before = set.engines.a.requests.length
    for (let count = 0; count < 5; count++) {
      for (const replica of replicas) expect(await statusOf(replica, set.key)).toBe(200)
    }
    expect(set.engines.a.requests.length).toBe(before)
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200])
    await drain(host(0), 'b')
    await waitFor('all to be out of service', async () => (await statusOf(host(1), set.key)) === 503)
    const refused = await host(1).chat(set.key)
    expect(refused.json.error).toMatchObject({ code: 'no_capacity' })
    expect(refused.json.error?.message).toContain('taken out of service by the operator')
    await drain(host(1), 'a', false)
    await expectEverywhere({
      replicas,
      isThere: async replica => (await stateOf(replica, 'b')) === 'healthy',
      make: () => drain(host(1), 'b', false),
    })
  })

  it('follow changes within a second also when the listening connections were just lost', async () => {
    await sayCannotListen()
    await expectEverywhere({
      replicas,
      isThere: async replica => (await stateOf(replica, 'a')) === 'draining',
      make: () => drain(host(0), 'a'),
    })
    await sayCannotListen()
    await expectEverywhere({ replicas, isThere: hasInputPrice(4), make: () => host(1).edit(setInput(4)) })
    await drain(host(0), 'a', false)
  })

  it('do not go back to an older file when its gateway starts again, unless somebody says so', async () => {
    await host(2).stop()
    await drain(host(0), 'a')
    await host(2).start()
    const superseded = await waitFor('the log', () => eventsNamed(host(2).output, 'config.superseded')[0])
    expect(superseded['mend']).toContain('rialto config publish')
    await host(2).readAgain()
    for (const replica of replicas) expect(await inputPriceOf(replica)).toBe(4)
    expect(await stateOf(host(2), 'a')).toBe('draining')
    const shown = await host(2).rialto<{ text: string; isOwn: boolean }>('config', 'show')
    expect([shown.isOwn, shown.text]).toEqual([false, expect.stringContaining('test/new')])
    await expectEverywhere({
      replicas,
      isThere: hasInputPrice(testPricing.inputUsdPerMTok),
      make: async () => expect(await host(2).rialto('config', 'publish')).toEqual({ published: true }),
    })
    await drain(host(0), 'a', false)
  })

  it('store no key of an engine that can be read, and write none into a log', async () => {
    await host(1).edit(settings => {
      for (const engine of settings.engines) engine.apiKey = 'sk-written-in-the-file'
    })
    await waitFor('the new key to be used', async () => {
      await host(0).chat(set.key)
      const requests = [...set.engines.a.requests, ...set.engines.b.requests]
      return requests.some(({ headers }) => headers.authorization === 'Bearer sk-written-in-the-file')
    })
    const rows = await query<{ content: Buffer }>(database.url, 'select content from shared_documents')
    expect(rows.length).toBe(2)
    for (const { content } of rows) expect(content.includes('sk-') || content.includes('drained')).toBe(false)
    for (const { output } of replicas) expect(output).not.toContain('sk-written-in-the-file')
  })
})
