/** What one owner takes of a room that all share. */
export interface Room {
  /** False, and nothing taken, when there is not so much for this owner. */
  take(bytes: number): boolean
  /** Gives back what was taken. */
  giveBack(bytes: number): void
}

export interface SharedRoom {
  of(owner: string): Room
}

/** An owner may have this many times what it leaves free: three quarters of a room in which nobody else is. */
const timesWhatIsLeft = 3

/**
 * Room for `bytesMax` bytes, of which no owner can take everything: the fuller the room, the less one may have of it, so
 * that whoever comes next finds some, however greedy the others are.
 */
export function createSharedRoom(bytesMax: number): SharedRoom {
  /** Of owners that have something. */
  const taken = new Map<string, number>()
  let left = bytesMax
  const change = (owner: string, bytes: number) => {
    const held = (taken.get(owner) ?? 0) + bytes
    if (held === 0) taken.delete(owner)
    else taken.set(owner, held)
    left -= bytes
  }
  return {
    of: owner => ({
      take(bytes) {
        const held = (taken.get(owner) ?? 0) + bytes
        if (held > timesWhatIsLeft * (left - bytes)) return false
        change(owner, bytes)
        return true
      },
      giveBack: bytes => change(owner, -bytes),
    }),
  }
}
