import { closeSync } from 'node:fs'

/** Closes what the gateway was started with and could not keep from its children, before any file is read. */
export function closeDescriptors(words: readonly string[]): void {
  for (const word of words) {
    try {
      closeSync(Number(word))
    } catch (error) {
      // The gateway may have closed it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EBADF') throw error
    }
  }
}
