import { runCommand } from 'citty'
import { checkArguments } from './check-arguments.ts'
import { UsageError } from './command-error.ts'
import { rootCommand } from './command-tree.ts'
import { argumentsOf, describeCommand, type FoundCommand, findCommand } from './find-command.ts'
import { note, print } from './output.ts'
import { packageVersion } from './package-version.ts'
import { renderHelp } from './render-help.ts'

/** Exit codes: 0 only for success, 2 for a command line that is wrong, 1 for everything else. */
const failed = 1
const misused = 2

/** Runs the command that the words name. Resolves with the exit code; errors were printed as one readable message. */
export async function runCli(words: readonly string[]): Promise<number> {
  try {
    if (words.length === 1 && ['--version', '-V'].includes(words[0] ?? '')) {
      print(packageVersion())
      return 0
    }
    return await run(await findCommand(rootCommand, words))
  } catch (error) {
    return reportError(error, words.includes('--json'))
  }
}

async function run(found: FoundCommand): Promise<number> {
  const { command, words, path, subCommands } = found
  if (words.some(word => word === '--help' || word === '-h')) {
    print(renderHelp(await describeCommand(found)))
    return 0
  }
  if (Object.keys(subCommands).length > 0) {
    const [word] = words
    if (word !== undefined) throw new UsageError(`unknown option ${word}; ${path.join(' ')} --help lists the commands.`)
    note(renderHelp(await describeCommand(found)))
    return misused
  }
  try {
    checkArguments(words, await argumentsOf(command))
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message}\nSee ${path.join(' ')} --help.`)
    throw error
  }
  const { result } = await runCommand(command, { rawArgs: [...words] })
  return typeof result === 'number' ? result : 0
}

/** Stacks are no help to an operator, and a cause may hold what must not be shown: the message alone is printed. */
function reportError(error: unknown, asJson: boolean): number {
  const message = error instanceof Error ? error.message : String(error)
  if (asJson) note(JSON.stringify({ error: { message } }))
  else note(`rialto: ${message}`)
  return error instanceof UsageError ? misused : failed
}
