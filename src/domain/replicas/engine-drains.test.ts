import { describe, expect, it } from 'vitest'
import { changeDrains, decodeDrains } from './engine-drains.ts'

const document = (content: Buffer | null) => ({ name: 'engine_drains', version: 1, content })

describe('the drained engines', () => {
  it('are added and taken back, and say what was before', () => {
    const one = changeDrains(null, { id: 'a', drained: true })
    expect([one.outcome, [...decodeDrains(one.content ?? Buffer.alloc(0))]]).toEqual([false, ['a']])
    const two = changeDrains(document(one.content), { id: 'b', drained: true })
    const none = changeDrains(document(two.content), { id: 'a', drained: false })
    expect([none.outcome, [...decodeDrains(none.content ?? Buffer.alloc(0))]]).toEqual([true, ['b']])
  })

  it('are not written when nothing changes', () => {
    const { content } = changeDrains(null, { id: 'a', drained: true })
    expect(changeDrains(document(content), { id: 'a', drained: true })).toEqual({ content: null, outcome: true })
    expect(changeDrains(null, { id: 'a', drained: false })).toEqual({ content: null, outcome: false })
  })

  it.each(['{}', '[]', '{"drained":[1]}', '{"drained":"a"}', `{"drained":["${'x'.repeat(201)}"]}`, '{"drained":['])(
    'are not read from %s',
    text => {
      expect(() => decodeDrains(Buffer.from(text))).toThrow()
      expect(() => changeDrains(document(Buffer.from(text)), { id: 'a', drained: true })).toThrow()
    },
  )

  it('are a thousand at most', () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => String(index))
    const full = document(Buffer.from(JSON.stringify({ drained: ids })))
    expect(() => changeDrains(full, { id: 'more', drained: true })).toThrow(RangeError)
  })

  it('are not changed when nobody can tell which there are', () => {
    expect(() => changeDrains(document(null), { id: 'a', drained: true })).toThrow('RIALTO_SECRET')
  })
})
