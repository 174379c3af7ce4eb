import { describe, expect, it } from 'vitest'
import { waitFor } from '../support/wait-for.ts'
import { useSearchGateway } from './search-gateway.ts'

const callers = 12
const messages = [{ role: 'user', content: 'What shipped in the latest Postgres release?' }]
const online = { model: 'test/model:online', messages }

describe.each([
  ['of each account', false, 2],
  ['of all accounts where the operator shares them', true, 1],
])('a stampede of equal searches', (whose, shared, calls) => {
  const { gateway, web } = useSearchGateway({
    settings: { cache: { searchSeconds: 60, shared } },
    accounts: { other: {} },
  })

  it(`is one call ${whose}, and each caller pays the fee`, async () => {
    web().behave({ kind: 'held' })
    const keys = [gateway.account().key, gateway.account('other').key]
    const asking = Array.from({ length: callers }, (_, at) =>
      gateway.client.chat(online, { key: keys[at % 2] ?? null }),
    )
    const store = await gateway.store()
    await waitFor('all to be admitted', async () => (await store.verify()).holdsOpen === callers)
    web().behave({ kind: 'results', count: 6 })
    const answers = await Promise.all(asking)
    for (const { json } of answers) {
      expect(json['venym']).toMatchObject({ sources: expect.arrayContaining([expect.anything()]) })
      expect(json.usage?.cost_details).toMatchObject({ web_search_cost: 0.01 })
    }
    expect(web().questions).toHaveLength(calls)
    await gateway.client.chat(online)
    expect(web().questions).toHaveLength(calls)
  })
})
