import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor } from './history-cursor.ts'
import type { HistoryWalk } from './history-walk.ts'

const key = { secret: Buffer.alloc(32, 1), accountId: 'acc_1' }
const walk: HistoryWalk = {
  ...{ fromMs: 1_700_000_000_000, toMs: 1_800_000_000_000, currency: 'DIEM', pageSize: 10 },
  after: { atMs: 1_750_000_000_000, seq: 77 },
}
const text = encodeCursor(walk, key)

describe('a cursor of the history', () => {
  it('says where its walk stands, to the account that it was given to', () => {
    expect(decodeCursor(text, key)).toEqual(walk)
    expect(decodeCursor(text, { ...key, accountId: 'acc_2' })).toBeNull()
    expect(decodeCursor(text, { ...key, secret: Buffer.alloc(32, 2) })).toBeNull()
  })

  it('is worth nothing with any bit changed, cut off or added', () => {
    const bytes = Buffer.from(text, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes)
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(decodeCursor(forged.toString('base64url'), key)).toBeNull()
    }
    for (let length = 0; length < bytes.length; length += 1)
      expect(decodeCursor(bytes.subarray(0, length).toString('base64url'), key)).toBeNull()
    expect(decodeCursor(Buffer.concat([bytes, Buffer.from(' ')]).toString('base64url'), key)).toBeNull()
    // Two of one account do not make a third.
    const other = Buffer.from(encodeCursor({ ...walk, currency: null }, key), 'base64url')
    expect(
      decodeCursor(Buffer.concat([other.subarray(0, 16), bytes.subarray(16)]).toString('base64url'), key),
    ).toBeNull()
  })

  it.each(['', '=', 'a b', '%00', '[]', 'A'.repeat(512), 'A'.repeat(513)])('is not %j', wrong => {
    expect(decodeCursor(wrong, key)).toBeNull()
  })
})
