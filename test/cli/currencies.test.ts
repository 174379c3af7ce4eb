import { describe, expect, it } from 'vitest'
import { rialto, rialtoJson, useInstallation } from './installation.ts'

const installation = useInstallation()
const json = (...words: string[]) => rialtoJson(installation, words)
const run = (...words: string[]) => rialto(installation, words)

describe('credit in another currency', () => {
  it('is booked in it, once for one key, and leaves the dollars alone', async () => {
    await json('account', 'create', 'alice', '--credit', '2')
    const words = ['credit', 'alice', '0.5', '--currency', 'earned', '--key', 'invoice-1'] as const
    const first = await json(...words)
    expect(first).toEqual({
      ...{ account: 'alice', creditedUsd: '0.5', balanceUsd: '0.5', currency: 'earned' },
      transferId: expect.stringMatching(/^xfer_/),
    })
    expect(await json(...words)).toEqual(first)
    const other = await run('credit', 'alice', '0.5', '--currency', 'bundled', '--key', 'invoice-1')
    expect(other.code).toBe(1)
    expect(other.stderr).toContain('another account, amount, currency or note')
    const { stdout } = await run('credit', 'alice', '3', '--currency', 'bundled')
    expect(stdout).toMatch(/^alice was credited 3 USD of bundled credit and has 3 \(xfer_/)
  })

  it('has a statement of its own', async () => {
    expect(await json('ledger', 'statement', 'alice', '--currency', 'earned')).toMatchObject({
      ...{ account: 'alice', currency: 'earned', openingUsd: '0', closingUsd: '0.5' },
      lines: [{ amountUsd: '0.5', balanceUsd: '0.5' }],
    })
    expect(await json('ledger', 'statement', 'alice')).toMatchObject({ closingUsd: '2', lines: [{ amountUsd: '2' }] })
    expect((await run('ledger', 'statement', 'alice', '--currency', 'diem')).code).toBe(2)
  })
})

describe('an account with more than dollars', () => {
  it('has a daily allowance, and shows what it has', async () => {
    const row = { name: 'alice', balanceUsd: '2', earned: '0.5', bundled: '3', diemPerDay: '7.5', diemLeft: '7.5' }
    expect(await json('account', 'set', 'alice', '--diem-per-day', '7.50')).toMatchObject(row)
    expect(await json('account', 'show', 'alice')).toMatchObject(row)
    expect(await json('account', 'list')).toMatchObject([row])
    const { stdout } = await run('account', 'show', 'alice')
    expect(stdout).toMatch(/^DIEM +7.5 left of 7.5 a day$/m)
    expect(stdout).toMatch(/^earned +0.5 USD$/m)
    expect((await run('account', 'list')).stdout).toMatch(/DIEM LEFT +EARNED +BUNDLED/)
  })

  it('loses the allowance with 0', async () => {
    expect(await json('account', 'set', 'alice', '--diem-per-day', '0')).toMatchObject({ diemLeft: '0' })
    const bad = await run('account', 'set', 'alice', '--diem-per-day=-1')
    expect([bad.code, bad.stdout]).toEqual([2, ''])
    expect(bad.stderr).toContain('--diem-per-day must be DIEM from 0')
  })

  it('has books that agree', async () => {
    expect(await json('ledger', 'verify')).toMatchObject({ ok: true, problems: [] })
  })
})

describe('a key', () => {
  it('may be limited in DIEM, alone or with dollars', async () => {
    const create = (...limits: string[]) => json('key', 'create', '--account', 'alice', '--period', 'epoch', ...limits)
    expect(await create('--limit-diem', '5')).toMatchObject({ limitUsd: null, limitDiem: '5', period: 'epoch' })
    expect(await create('--limit-diem', '0', '--limit-usd', '1')).toMatchObject({ limitUsd: '1', limitDiem: '0' })
    const { stdout } = await run('key', 'list')
    expect(stdout).toContain('5 DIEM a day')
    expect(stdout).toContain('1 USD + 0 DIEM a day')
  })
})
