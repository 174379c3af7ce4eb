import { onTestFinished } from 'vitest'

type CleanUp = () => Promise<unknown>

/** What was made outside of a test: in a `beforeAll`. The newest goes first. */
const left: CleanUp[] = []

/** Cleans up when the running test is over, or after all tests of the file when none runs. */
export function atEnd(cleanUp: CleanUp): void {
  try {
    onTestFinished(async () => {
      await cleanUp()
    })
  } catch {
    left.push(cleanUp)
  }
}

/** Ends what a file left. `set-up.ts` calls it for every file. */
export async function endFile(): Promise<void> {
  for (let cleanUp = left.pop(); cleanUp !== undefined; cleanUp = left.pop()) await cleanUp()
}
