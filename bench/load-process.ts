import { createInterface } from 'node:readline'
import { type LoadSpec, runLoad } from './load.ts'

/**
 * The load runner as its own process: one `LoadSpec` per line on standard input, one `LoadResult` per line on standard
 * output, one after the other. It stays warm between windows and ends when its standard input is closed.
 */
const never = new AbortController().signal

for await (const line of createInterface({ input: process.stdin })) {
  const spec: LoadSpec = JSON.parse(line)
  console.log(JSON.stringify(await runLoad(spec, never)))
}
