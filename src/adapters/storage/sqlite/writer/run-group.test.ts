import { describe, expect, it, vi } from 'vitest'
import type { Operation } from '../../groups/operations.ts'
import type { Performer } from './perform.ts'
import { runGroup } from './run-group.ts'

function fault(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** A writer whose operations are posts of numbers; `fails` says how one of them, or the commit, goes wrong. */
function createTestPerformer(fails: { readonly post?: (amount: bigint) => void; readonly commit?: () => void }) {
  const committed: bigint[] = []
  let pending: bigint[] = []
  const unit = {
    begin: vi.fn(),
    flush: vi.fn(),
    commit() {
      fails.commit?.()
      committed.push(...pending)
      pending = []
    },
    rollback: vi.fn(() => {
      pending = []
    }),
  }
  const postTransfer: Performer['postTransfer'] = (_, { id, amountNano }) => {
    pending.push(amountNano)
    fails.post?.(amountNano)
    return { transferId: id, repeated: false }
  }
  const performer = { unit, postTransfer } as unknown as Performer
  return { performer, committed, unit }
}

const post = (amountNano: bigint) => ({ kind: 'post', transfer: { id: 'x', amountNano } }) as unknown as Operation
const posted = { value: { transferId: 'x', repeated: false } }

describe('a group', () => {
  it('is one transaction when nothing fails', async () => {
    const { performer, committed, unit } = createTestPerformer({})
    expect(await runGroup(performer, [1n, 2n, 3n].map(post))).toEqual([posted, posted, posted])
    expect(committed).toEqual([1n, 2n, 3n])
    expect(unit.begin).toHaveBeenCalledTimes(1)
  })

  it('is tried in halves until a bad operation fails alone, in order and without a trace', async () => {
    const { performer, committed } = createTestPerformer({
      post(amount) {
        if (amount === 5n) throw new RangeError('five')
        if (amount === 7n) throw fault('SQLITE_CONSTRAINT_UNIQUE')
      },
    })
    const amounts = Array.from({ length: 9 }, (_, index) => BigInt(index))
    const results = await runGroup(performer, amounts.map(post))
    expect(committed).toEqual(amounts.filter(amount => amount !== 5n && amount !== 7n))
    expect(results[5]).toEqual({ error: { name: 'RangeError', message: 'five' } })
    expect(results[7]).toMatchObject({ error: { name: 'StoreConflict' } })
  })

  it('fails alone for a reason that nobody knows, and may be tried again', async () => {
    const { performer, committed } = createTestPerformer({
      post(amount) {
        if (amount === 2n) throw fault('SQLITE_ERROR')
      },
    })
    const results = await runGroup(performer, [1n, 2n, 3n].map(post))
    expect(committed).toEqual([1n, 3n])
    expect(results[1]).toMatchObject({ error: { name: 'StoreUnavailable' } })
  })

  it.each(['SQLITE_BUSY', 'SQLITE_FULL'])('is refused as a whole on %s', async code => {
    const { performer, committed, unit } = createTestPerformer({
      commit() {
        throw fault(code)
      },
    })
    const results = await runGroup(performer, [1n, 2n].map(post))
    expect(results).toMatchObject([{ error: { name: 'StoreUnavailable' } }, { error: { name: 'StoreUnavailable' } }])
    expect(committed).toEqual([])
    expect(unit.begin).toHaveBeenCalledTimes(1)
  })

  it.each(['SQLITE_IOERR_FSYNC', 'SQLITE_CORRUPT'])('is never answered after %s', async code => {
    const { performer } = createTestPerformer({
      commit() {
        throw fault(code)
      },
    })
    await expect(runGroup(performer, [1n, 2n].map(post))).rejects.toThrow(code)
  })
})
