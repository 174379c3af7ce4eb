import { beforeEach, expect, it } from 'vitest'
import { StoreUnavailable } from '../../../../core/store-error.ts'
import type { Operation, OperationResult } from '../../groups/operations.ts'
import type { PostgresPool } from '../postgres-pool.ts'
import { guardChannel, guardPool } from './guard-pool.ts'
import type { StoreWatch } from './store-watch.ts'

let outage: number | null
let suspicions: number
let uses: number
let works: boolean

const watch: StoreWatch = {
  get outage() {
    return outage
  },
  get mayAdmit() {
    return outage === null
  },
  suspect() {
    suspicions += 1
  },
  stop: async () => undefined,
}

const use = async () => {
  uses += 1
  if (!works) throw new StoreUnavailable('gone')
  return []
}
const pool: PostgresPool = {
  query: use,
  connect: async () => ({
    query: async () => ({ rows: await use(), rowCount: 0, command: '' }),
    release: () => undefined,
  }),
  renew: () => undefined,
  cutOld: () => undefined,
  end: async () => undefined,
}

beforeEach(() => {
  outage = null
  suspicions = 0
  uses = 0
  works = true
})

it('an outage costs one attempt; the others are refused without one until it is over', async () => {
  const guarded = guardPool(pool, watch)
  works = false
  outage = 1
  for (let count = 0; count < 10; count += 1) await expect(guarded.query('select')).rejects.toThrow(StoreUnavailable)
  expect([uses, suspicions]).toEqual([1, 1])
  outage = null
  works = true
  expect(await guarded.query('select')).toEqual([])
})

it('reads go on during an outage in which they work', async () => {
  const guarded = guardPool(pool, watch)
  outage = 1
  for (let count = 0; count < 3; count += 1) {
    const client = await guarded.connect()
    await client.query('select')
  }
  expect(uses).toBe(3)
})

it('money is not sent during an outage, and a failed group raises a suspicion', async () => {
  const sent: Operation[] = []
  const unavailable: OperationResult = { error: { name: 'StoreUnavailable', message: 'gone' } }
  const channel = guardChannel(
    {
      async run(group) {
        sent.push(...group)
        return [unavailable]
      },
      close: async () => undefined,
    },
    watch,
  )
  expect(await channel.run([{ kind: 'probe' }])).toEqual([unavailable])
  expect([sent.length, suspicions]).toEqual([1, 1])
  outage = 1
  expect(await channel.run([{ kind: 'probe' }, { kind: 'probe' }])).toMatchObject([
    { error: { name: 'StoreUnavailable' } },
    { error: { name: 'StoreUnavailable' } },
  ])
  expect(sent).toHaveLength(1)
})
