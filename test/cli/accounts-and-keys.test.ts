import { describe, expect, it } from 'vitest'
import { rialto, rialtoJson, useInstallation } from './installation.ts'

const installation = useInstallation()
const json = (...words: string[]) => rialtoJson(installation, words)
const run = (...words: string[]) => rialto(installation, words)

const accountFields = { balanceUsd: '12.5', availableUsd: '12.5', heldUsd: '0' }

describe('an account', () => {
  it('is made with credit, shown and listed with exactly the fields of the contract', async () => {
    const created = await json('account', 'create', 'alice', '--credit', '12.50')
    const row = { id: expect.stringMatching(/^acc_[0-9a-f]{24}$/), name: 'alice', mode: 'soft', ...accountFields }
    expect(created).toEqual(row)
    expect(await json('account', 'show', 'alice')).toEqual(created)
    expect(await json('account', 'show', (created as { id: string }).id)).toEqual(created)
    expect(await json('account', 'list')).toEqual([created])
  })

  it('changes its mode', async () => {
    expect(await json('account', 'set', 'alice', '--mode', 'strict', '--pro')).toMatchObject({ mode: 'strict' })
    expect((await run('account', 'show', 'alice')).stdout).toMatch(/^pro +yes$/m)
  })

  it('has a name of its own', async () => {
    const { code, stderr } = await run('account', 'create', 'alice')
    expect([code, stderr]).toEqual([1, 'rialto: There is an account named alice already.\n'])
    expect((await run('account', 'create', '-x-')).code).toBe(2)
    expect((await run('account', 'create', '(x)')).stderr).toContain('An account name is 1 to 100 letters')
  })

  it('that there is not is named together with the one that was meant', async () => {
    const { code, stdout, stderr } = await run('account', 'show', 'alise', '--json')
    expect([code, stdout]).toEqual([1, ''])
    expect(JSON.parse(stderr)).toEqual({ error: { message: 'There is no account "alise". Did you mean "alice"?' } })
  })
})

describe('credit', () => {
  it('is booked once for one key, however often it is repeated', async () => {
    const words = ['credit', 'alice', '0.000000001', '--note', 'thanks', '--key', 'invoice-1'] as const
    const first = await json(...words)
    expect(first).toEqual({
      account: 'alice',
      creditedUsd: '0.000000001',
      balanceUsd: '12.500000001',
      transferId: expect.stringMatching(/^xfer_/),
    })
    expect(await json(...words)).toEqual(first)
    const other = await run('credit', 'alice', '2', '--key', 'invoice-1')
    expect(other.code).toBe(1)
    expect(other.stderr).toContain('The key invoice-1 stands for another credit')
    expect(await json('account', 'show', 'alice')).toMatchObject({ balanceUsd: '12.500000001' })
  })

  it('adds up without a key', async () => {
    await json('credit', 'alice', '1')
    expect(await json('credit', 'alice', '1')).toMatchObject({ balanceUsd: '14.500000001' })
  })

  it('stands in the statement, with its note and the balance after it', async () => {
    const statement = await json('ledger', 'statement', 'alice')
    expect(statement).toMatchObject({ account: 'alice', openingUsd: '0', closingUsd: '14.500000001' })
    const { lines } = statement as { lines: unknown[] }
    expect(lines).toHaveLength(4)
    expect(lines[1]).toEqual({
      transferId: expect.stringMatching(/^xfer_/),
      code: 'grant',
      amountUsd: '0.000000001',
      balanceUsd: '12.500000001',
      requestId: null,
      keyId: null,
      note: 'thanks',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    const cut = await run('ledger', 'statement', 'alice', '--limit', '2')
    expect(cut.stdout).toMatch(/closing balance +12.500000001/)
    expect(cut.stderr).toContain('Only the first 2 transfers are shown')
    expect(await json('ledger', 'statement', 'alice', '--to', '2020-01-01')).toMatchObject({ lines: [] })
  })

  it('keeps the books in agreement', async () => {
    expect(await json('ledger', 'verify')).toEqual({
      ok: true,
      accounts: 1,
      transfers: 4,
      holdsOpen: 0,
      usageRecords: 0,
      problems: [],
    })
  })
})

describe('a key', () => {
  it('is printed once, with exactly the fields of the contract', async () => {
    const limits = ['--limit-usd', '3', '--period', 'month', '--expires', '2099-12-31', '--privacy', 'private_only']
    const created = (await json('key', 'create', '--account', 'alice', '--type', 'admin', ...limits)) as { key: string }
    const fields = {
      id: expect.stringMatching(/^key_[0-9a-f]{24}$/),
      account: 'alice',
      type: 'admin',
      expiresAt: '2100-01-01T00:00:00.000Z',
      limitUsd: '3',
      period: 'month',
      privacy: 'private_only',
    }
    expect(created).toEqual({ ...fields, key: expect.stringMatching(/^vk-[0-9A-Za-z]{43}$/) })
    expect(await json('key', 'list')).toEqual([{ ...fields, last6: created.key.slice(-6) }])
    expect(JSON.stringify(await json('key', 'list', '--all'))).not.toContain(created.key)
  })

  it('without options has no limit and no expiry', async () => {
    expect(await json('key', 'create', '--account', 'alice', '--label', 'plain')).toMatchObject({
      type: 'inference',
      expiresAt: null,
      limitUsd: null,
      period: 'lifetime',
      privacy: 'all',
    })
    expect((await run('key', 'list', '--account', 'alice')).stdout).toMatch(/plain +none +never +valid/)
  })

  it('takes rates of its own, and shows them where it has any', async () => {
    const rates = ['--rpm', '60', '--tpm', '100000', '--rpd', '0', '--concurrency', '2']
    const created = (await json('key', 'create', '--account', 'alice', ...rates)) as { id: string }
    const shown = { requestsPerMinute: 60, tokensPerMinute: 100_000, requestsPerDay: 0, concurrency: 2 }
    expect(created).toMatchObject(shown)
    const listed = (await json('key', 'list')) as { id: string }[]
    expect(listed.find(({ id }) => id === created.id)).toMatchObject(shown)
    for (const wrong of ['-1', '1.5', 'many', '1000000000']) {
      const { code, stderr } = await run('key', 'create', '--account', 'alice', `--rpd=${wrong}`)
      expect([code, stderr]).toEqual([2, expect.stringContaining('--rpd must be a whole number from 0 to 999999999.')])
    }
  })

  it('with an expiry in the past is made, and the operator is told', async () => {
    const { code, stdout, stderr } = await run('key', 'create', '--account', 'alice', '--expires', '2020-01-01T00:00Z')
    expect([code, stderr]).toEqual([0, 'This key has expired already.\n'])
    expect(stdout).toMatch(/^vk-/)
  })

  it('is revoked once, and then only shown when all are asked for', async () => {
    const { id } = (await json('key', 'create', '--account', 'alice')) as { id: string }
    expect(await json('key', 'revoke', id)).toEqual({ id, revokedAt: expect.stringMatching(/Z$/) })
    const ids = async (...words: string[]) =>
      ((await json('key', 'list', ...words)) as { id: string }[]).map(key => key.id)
    expect(await ids()).not.toContain(id)
    expect(await ids('--all')).toContain(id)
    const again = await run('key', 'revoke', id)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain(`There is no key ${id}, or it was revoked before.`)
  })
})
