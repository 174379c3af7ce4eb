import { createInterface } from 'node:readline'
import { startChild, typescriptCommand } from './child-process.ts'
import type { LoadResult, LoadSpec } from './load.ts'

export interface LoadClient {
  /** Runs one window in the load process. */
  run(spec: LoadSpec): Promise<LoadResult>
  stop(): Promise<void>
}

/** Starts the load runner as a process of its own, which stays warm between windows. */
export function startLoadClient(processor: number | null): LoadClient {
  const child = startChild(typescriptCommand(new URL('./load-process.ts', import.meta.url)), {
    processor,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { stdin, stdout } = child.process
  if (stdin === null || stdout === null) throw new Error('the load process has no pipes')
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  return {
    async run(spec) {
      stdin.write(`${JSON.stringify(spec)}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error('the load process has ended')
      const result: LoadResult = JSON.parse(value)
      return result
    },
    stop: () => child.stop(),
  }
}
