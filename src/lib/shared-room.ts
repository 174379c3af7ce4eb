/** What one owner takes of a room that all share. */
export interface Room {
  /** False, and nothing taken, when there is not so much for this owner. */
  take(amount: number): boolean
  /** Gives back what was taken. */
  giveBack(amount: number): void
}

export interface SharedRoom {
  of(owner: string): Room
}

/** An owner may have this many times what it leaves free: three quarters of a room in which nobody else is. */
const timesWhatIsLeft = 3

/**
 * Room for so many bytes, or things of another kind, of which no owner can take everything: the fuller the room, the less one may have of it, so
 * that whoever comes next finds some, however greedy the others are.
 */
export function createSharedRoom(amountMax: number): SharedRoom {
  /** Of owners that have something. */
  const taken = new Map<string, number>()
  let left = amountMax
  const change = (owner: string, amount: number) => {
    const held = (taken.get(owner) ?? 0) + amount
    if (held === 0) taken.delete(owner)
    else taken.set(owner, held)
    left -= amount
  }
  return {
    of: owner => ({
      take(amount) {
        const held = (taken.get(owner) ?? 0) + amount
        if (held > timesWhatIsLeft * (left - amount)) return false
        change(owner, amount)
        return true
      },
      giveBack: amount => change(owner, -amount),
    }),
  }
}
