import { describe, expect, it } from 'vitest'
import { useSearchGateway } from './search-gateway.ts'

const { gateway, web } = useSearchGateway({
  models: { 'test/free': { free: true } },
  accounts: { paying: {}, empty: { credit: 0 }, 'empty-strict': { credit: 0, mode: 'strict' } },
})

const feeNano = 10_000_000n
const messages = [{ role: 'user', content: 'What shipped in the latest Postgres release?' }]
const online = { model: 'test/free:online', messages }

/** A model that costs nothing is open to everybody; what is looked up for it has its own price (money.md §3). */
describe('a search for a free model', () => {
  it.each([false, true])('costs its fee, held and booked (stream: %s)', async stream => {
    const { key } = gateway.account('paying')
    const before = await gateway.client.credits(key)
    const { status } = await gateway.client.chat({ ...online, stream }, { key })
    expect(status).toBe(200)
    expect((await gateway.client.credits(key)).usedNano - before.usedNano).toBe(feeNano)
  })

  it.each(['empty', 'empty-strict'] as const)(
    'is refused to an account that is %s, before anybody is asked',
    async name => {
      const { key } = gateway.account(name)
      const asked = web().questions.length
      expect((await gateway.client.chat(online, { key })).status).toBe(402)
      expect(web().questions).toHaveLength(asked)
      expect((await gateway.client.chat({ model: 'test/free', messages }, { key })).status).toBe(200)
    },
  )
})
