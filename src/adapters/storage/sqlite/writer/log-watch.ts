import { statSync } from 'node:fs'

/** Beyond this the write-ahead log must not grow: somebody's long read keeps it from being folded (reliability.md S4). */
const logBytesMax = 268_435_456

/** Looking at the file's size costs a system call, so it is done once in so many groups. */
const groupsPerLook = 64

/** Says whether the write-ahead log has room. It is asked once per group. */
export function createLogWatch(databasePath: string): { look(): void; hasRoom(): boolean } {
  let groups = 0
  let room = true
  return {
    look() {
      groups += 1
      if (groups % groupsPerLook !== 1 && room) return
      const log = statSync(`${databasePath}-wal`, { throwIfNoEntry: false })
      room = log === undefined || log.size <= logBytesMax
    },
    hasRoom: () => room,
  }
}
