/** What all requests of this process may keep of fetched and decoded media at a time. */
export const mediaBudgetBytes = 536_870_912

/** One request's part of the budget. */
export interface ByteShare {
  /** False, and nothing taken, when the budget does not have so much left, or the share is closed. */
  take(bytes: number): boolean
  give(bytes: number): void
  /** Gives back everything that is left of it. */
  close(): void
}

export interface ByteBudget {
  open(): ByteShare
}

export function createByteBudget(bytesMax: number): ByteBudget {
  let left = bytesMax
  return {
    open() {
      let taken = 0
      let isClosed = false
      const take = (bytes: number) => {
        if (bytes > left || isClosed) return false
        left -= bytes
        taken += bytes
        return true
      }
      const give = (bytes: number) => {
        const given = Math.min(bytes, taken)
        taken -= given
        left += given
      }
      const close = () => {
        isClosed = true
        give(taken)
      }
      return { take, give, close }
    },
  }
}
