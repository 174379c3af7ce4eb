import { describe, expect, it } from 'vitest'
import { estimatedTokens, openLimits, priceOf } from '../support/gateway/index.ts'
import { answer, type Behaviour, reset, status } from '../support/mock-engine/index.ts'
import { sentMessages, useSearchGateway } from './search-gateway.ts'

const accounts = { refused: {}, broken: {}, cut: {}, often: {} }
const { gateway } = useSearchGateway({
  settings: { limits: { ...openLimits, freeFailuresPerHour: 2 } },
  accounts,
})

const feeNano = 10_000_000n
const messages = [{ role: 'user', content: 'What shipped in the latest Postgres release?' }]
const online = { model: 'test/model:online', messages }

async function chargeOf(account: keyof typeof accounts, body: object = online): Promise<bigint> {
  const { key } = gateway.account(account)
  const before = await gateway.client.credits(key)
  await gateway.client.chat(body, { key })
  return (await gateway.client.credits(key)).usedNano - before.usedNano
}

/** Tokens are free when an answer fails; what was looked up for it was delivered to the engine (money.md §3). */
describe('a search whose results entered the prompt', () => {
  it.each<[keyof typeof accounts, string, Behaviour]>([
    ['refused', 'the engine refuses', status(400)],
    ['broken', 'every engine fails', status(500)],
  ])('is charged, and nothing else, where %s: %s', async (account, _, behaviour) => {
    gateway.engine().always(behaviour)
    expect(await chargeOf(account)).toBe(feeNano)
  })

  it('is charged, and nothing else, where the answer breaks off', async () => {
    gateway.engine().always(reset({ chunks: 3 }, answer({ text: ['a', ' b', ' c', ' d'] })))
    expect(await chargeOf('cut', { ...online, stream: true })).toBe(feeNano)
  })

  it('is charged beside prompt and tokens once free failures are used up', async () => {
    gateway.engine().always(status(500))
    expect([await chargeOf('often'), await chargeOf('often')]).toEqual([feeNano, feeNano])
    const third = await chargeOf('often')
    const prompt = estimatedTokens(
      sentMessages(gateway)
        .map(({ content }) => content)
        .join(''),
    )
    expect(third).toBe(feeNano + priceOf({ prompt }))
  })
})
