import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { stretched } from '../support/lapse.ts'
import { waitFor } from '../support/wait-for.ts'

const gateway = useGateway({ accounts: { poor: { credit: 0, mode: 'strict' } } })

/** What a running gateway may take to see a change (operator.md §6). */
const seenWithinMs = 1_000

describe('beside a running gateway', () => {
  it('credit lets an account ask that could not', async () => {
    const { key } = gateway.account('poor')
    expect((await gateway.client.chat({}, { key })).status).toBe(402)
    const credited = await gateway.rialtoJson('credit', 'poor', '2.5', '--key', 'first')
    expect(credited).toMatchObject({ creditedUsd: '2.5', balanceUsd: '2.5' })
    expect((await gateway.client.chat({}, { key })).status).toBe(200)
    const { balanceNano } = await gateway.client.credits(key)
    expect(await gateway.rialtoJson('account', 'show', 'poor')).toMatchObject({
      balanceUsd: expect.stringMatching(/^2\.49999/),
      heldUsd: '0',
    })
    expect(balanceNano).toBeLessThan(2_500_000_000n)
  })

  it('a new key counts within a second, and a revoked one no longer does', async () => {
    const issued = await gateway.rialtoJson<{ id: string; key: string }>('key', 'create', '--account', 'main')
    const ask = async () => (await gateway.client.chat({}, { key: issued.key })).status
    await waitFor('the key to count', async () => (await ask()) === 200, { withinMs: stretched(seenWithinMs) })
    await gateway.rialtoJson('key', 'revoke', issued.id)
    await waitFor('the key to be refused', async () => (await ask()) === 401, { withinMs: stretched(seenWithinMs) })
  })

  it('an expired key, and a key for other models, are refused', async () => {
    const expired = await gateway.rialtoJson<{ key: string }>(
      'key',
      'create',
      '--account',
      'main',
      '--expires',
      '2020-01-01',
    )
    expect((await gateway.client.chat({}, { key: expired.key })).status).toBe(401)
    const other = await gateway.rialtoJson<{ key: string }>('key', 'create', '--account', 'main', '--models', 'a/b')
    expect((await gateway.client.chat({}, { key: other.key })).status).toBe(403)
    const limited = await gateway.rialtoJson<{ key: string }>('key', 'create', '--account', 'main', '--limit-usd', '0')
    expect((await gateway.client.chat({}, { key: limited.key })).status).toBe(402)
  })

  it('the books can be read and checked, with every request in them', async () => {
    const answered = await gateway.client.chat()
    expect(answered.status).toBe(200)
    expect(await gateway.rialtoJson('ledger', 'verify')).toMatchObject({ ok: true, holdsOpen: 0, problems: [] })
    const statement = await gateway.rialtoJson<{ lines: Record<string, unknown>[]; closingUsd: string }>(
      'ledger',
      'statement',
      'main',
    )
    expect(statement.lines.at(-1)).toMatchObject({
      code: 'usage',
      amountUsd: expect.stringMatching(/^-0\.0000/),
      balanceUsd: statement.closingUsd,
      requestId: expect.stringMatching(/^req_/),
      keyId: gateway.account().keyId,
    })
  })

  it('models, engines and checks are those of its configuration', async () => {
    expect(await gateway.rialtoJson('models')).toEqual([
      {
        id: 'test/model',
        engines: ['main'],
        contextTokens: 100_000,
        maxOutputTokens: 1_000,
        pricing: {
          inputUsdPerMTok: '0.123456789',
          outputUsdPerMTok: '0.987654321',
          cacheReadUsdPerMTok: '0.012345679',
          cacheWriteUsdPerMTok: '0.234567891',
        },
      },
    ])
    expect(await gateway.rialtoJson('engines')).toEqual([
      { id: 'main', kind: 'openai', baseUrl: gateway.engine().url, state: 'healthy', inFlight: null, lastError: null },
    ])
    const doctor = await gateway.rialtoJson<{ ok: boolean; checks: Record<string, unknown>[] }>('doctor')
    expect(doctor.ok).toBe(true)
    for (const { mend, ...check } of doctor.checks) {
      expect(check).toEqual({ name: expect.any(String), ok: true, detail: expect.any(String) })
      // Which walls a machine allows around documents is the machine's matter.
      if (check.name !== 'documents') expect(mend).toBeNull()
    }
    const names = doctor.checks.map(({ name }) => name)
    expect(names).toEqual([
      'node',
      'config',
      'data folder',
      'store',
      'ledger',
      'clock',
      'engine main',
      'documents',
      'search',
      'search embedded',
      'payments',
    ])
  })
})
