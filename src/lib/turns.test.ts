import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { joinBytes } from './join-bytes.ts'
import { inTurns, type Steps, turnBytes } from './turns.ts'

function* stepsOf(count: number, onStep: () => void): Steps<string> {
  for (let step = 0; step < count; step++) {
    onStep()
    yield
  }
  return 'done'
}

it('others have a turn between two steps', async () => {
  const order: string[] = []
  const work = inTurns(stepsOf(3, () => order.push('step')))
  for (let turn = 0; turn < 3; turn++) {
    await setImmediate()
    order.push('other')
  }
  expect(await work).toBe('done')
  expect(order.slice(0, 4)).toEqual(['step', 'other', 'step', 'other'])
})

it('in one turn there is one step, however much work there is', async () => {
  let steps = 0
  const works = Array.from({ length: 5 }, () => inTurns(stepsOf(4, () => steps++)))
  let ended = false
  void Promise.all(works).then(() => {
    ended = true
  })
  let before = steps
  while (!ended) {
    await setImmediate()
    expect(steps - before).toBeLessThanOrEqual(1)
    before = steps
  }
  expect(steps).toBe(20)
})

it('work ends between two steps when its signal says so, and other work goes on', async () => {
  const stop = new AbortController()
  let steps = 0
  const stopped = inTurns(
    stepsOf(10, () => {
      if (++steps === 2) stop.abort(new Error('enough'))
    }),
    stop.signal,
  )
  const other = inTurns(stepsOf(10, () => undefined))
  await expect(stopped).rejects.toThrow('enough')
  expect(steps).toBe(2)
  expect(await other).toBe('done')
})

it('pieces of any length are joined in their order', async () => {
  const lengths = [3, turnBytes - 3, 0, 1, 2 * turnBytes + 7, turnBytes, 5]
  const pieces = lengths.map((length, index) => Buffer.alloc(length, `${index}`))
  expect((await joinBytes(pieces)).equals(Buffer.concat(pieces))).toBe(true)
  expect((await joinBytes([])).length).toBe(0)
  expect((await joinBytes([Buffer.from('a'), Buffer.from('b')])).toString()).toBe('ab')
})
