import { runCli } from './cli/cli.ts'
import { endWhenNobodyReads, flushOutput } from './cli/output.ts'

endWhenNobodyReads()
const exitCode = await runCli(process.argv.slice(2))
await flushOutput()
process.exit(exitCode)
