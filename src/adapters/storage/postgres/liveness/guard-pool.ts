import { StoreUnavailable } from '../../../../core/store-error.ts'
import type { GroupChannel } from '../../groups/group-sender.ts'
import type { OperationResult } from '../../groups/operations.ts'
import type { PostgresClient, PostgresPool } from '../postgres-pool.ts'
import type { StoreWatch } from './store-watch.ts'

/** A group that takes longer may wait for a server that is gone. */
const slowGroupMs = 1_000

/**
 * During an outage the first use of a pool finds out for itself whether it works, because reads may where writes do not;
 * after it failed, nobody waits any more until the outage is over.
 */
export function guardPool(pool: PostgresPool, watch: StoreWatch): PostgresPool {
  let failedIn: number | null = null

  async function guarded<T>(use: () => Promise<T>): Promise<T> {
    if (watch.outage !== null && watch.outage === failedIn) throw unavailable()
    try {
      return await use()
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        failedIn = watch.outage
        watch.suspect()
      }
      throw error
    }
  }

  const guardClient = (client: PostgresClient): PostgresClient => ({
    query: (text, values) => guarded(() => client.query(text, values)),
    release: () => client.release(),
  })

  return {
    ...pool,
    connect: () => guarded(async () => guardClient(await pool.connect())),
    query: (text, values) => guarded(() => pool.query(text, values)),
  }
}

/** Money's groups are not sent during an outage, so that they never stand in line behind one that gets no answer. */
export function guardChannel(channel: GroupChannel, watch: StoreWatch): GroupChannel {
  return {
    async run(group) {
      if (watch.outage !== null) return group.map(() => unavailableResult)
      const timer = setTimeout(() => watch.suspect(), slowGroupMs)
      try {
        const results = await channel.run(group)
        if (results.some(isUnavailable)) watch.suspect()
        return results
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => channel.close(),
  }
}

const unavailableText = 'the store does not answer now'

const unavailableResult: OperationResult = { error: { name: 'StoreUnavailable', message: unavailableText } }

function unavailable(): StoreUnavailable {
  return new StoreUnavailable(unavailableText)
}

function isUnavailable(result: OperationResult): boolean {
  return 'error' in result && result.error.name === 'StoreUnavailable'
}
