import { destination } from 'pino'

/** Lines are gathered and written together: so much, or so long. */
const gatherBytes = 4_096
const gatherMs = 100
/** What waits while the reader is slow. Beyond it lines are dropped and counted; nobody waits for a log. */
const bufferBytesMax = 8_388_608
const flushWaitMs = 2_000

/**
 * What the system writes to a pipe at once (POSIX's PIPE_BUF on Linux). Processes that share an output must not write more
 * at a time, nor longer lines, or their lines get mixed.
 */
export const sharedWriteBytesMax = 4_096
const sharedGatherBytes = 2_048

export interface StandardOutput {
  write(line: string): void
  /** Resolves when everything is written, or could not be for two seconds. */
  flush(): Promise<void>
}

/**
 * Standard output that never makes its writer wait. What is gathered is also written when the process exits. `report`
 * hears how many lines were lost once the reader takes more. Where other processes write to the same output, whole lines of
 * at most `sharedWriteBytesMax` bytes stay whole.
 */
export function openStandardOutput(
  report: (lostLines: number) => void,
  { isShared = false }: { readonly isShared?: boolean } = {},
): StandardOutput {
  let lost = 0
  const stream = destination({
    dest: 1,
    sync: false,
    ...(isShared ? { minLength: sharedGatherBytes, maxWrite: sharedWriteBytesMax } : { minLength: gatherBytes }),
    maxLength: bufferBytesMax,
    periodicFlush: gatherMs,
  })
  stream.on('drop', () => {
    lost += 1
  })
  // A full disk or a reader that left is no reason to stop selling: what cannot be written counts as lost.
  stream.on('error', () => {
    lost += 1
  })
  stream.on('drain', () => {
    const lines = lost
    lost = 0
    if (lines > 0) report(lines)
  })
  return {
    write(line) {
      stream.write(line)
    },
    flush: () =>
      new Promise(resolve => {
        const timer = setTimeout(resolve, flushWaitMs)
        stream.flush(() => {
          clearTimeout(timer)
          resolve()
        })
      }),
  }
}
