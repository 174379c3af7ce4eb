import { expect, it } from 'vitest'
import { hashTransfer, transferIdOf } from './transfer-hash.ts'

const transfer = {
  seq: 7,
  id: null,
  code: 'usage',
  debit: 'customer:acc_a',
  credit: 'revenue',
  asset: 'usd',
  amountNano: 5n,
  holdSeq: 3,
  line: 'usage',
  note: '',
  idempotencyKey: null,
  createdAtMs: 9,
}

it('covers the row before and every field', () => {
  const hashes = [
    hashTransfer('', transfer),
    hashTransfer('x', transfer),
    ...Object.keys(transfer).map(field => hashTransfer('', { ...transfer, [field]: 'other' })),
  ]
  expect(new Set(hashes).size).toBe(hashes.length)
})

it('stays what it is: stored chains depend on it', () => {
  expect(hashTransfer('', transfer)).toBe('k3/EKcTBUcjStVPl/buYLH/OdCQYYi6iFMxiWkqYhO4=')
})

it('names a transfer by its own id, else by its place', () => {
  expect(transferIdOf({ seq: 1, id: 'xfer_own' })).toBe('xfer_own')
  expect(transferIdOf({ seq: 255, id: null })).toBe('xfer_0000000000000000000000ff')
})
