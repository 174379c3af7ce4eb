import { createSharedRoom } from '../../lib/shared-room.ts'

/** What all requests of this process may keep of fetched and decoded media at a time. */
export const mediaBudgetBytes = 536_870_912

/** One request's part of the budget. */
export interface ByteShare {
  /** False, and nothing taken, when there is not so much for its account, or the share is closed. */
  take(bytes: number): boolean
  give(bytes: number): void
  /** Gives back everything that is left of it. */
  close(): void
}

export interface ByteBudget {
  open(accountId: string): ByteShare
}

/** A budget of which no account can take everything, in however many requests. */
export function createByteBudget(bytesMax: number): ByteBudget {
  const room = createSharedRoom(bytesMax)
  return {
    open(accountId) {
      const account = room.of(accountId)
      let taken = 0
      let isClosed = false
      const take = (bytes: number) => {
        if (isClosed || !account.take(bytes)) return false
        taken += bytes
        return true
      }
      const give = (bytes: number) => {
        const given = Math.min(bytes, taken)
        taken -= given
        account.giveBack(given)
      }
      const close = () => {
        isClosed = true
        give(taken)
      }
      return { take, give, close }
    },
  }
}
