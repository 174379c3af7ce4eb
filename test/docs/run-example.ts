import { execFile } from 'node:child_process'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Installation, rialtoProgram } from '../support/gateway/rialto-command.ts'
import type { ProgramLanguage } from './examples-of.ts'
import { root } from './pages.ts'

const exampleMs = 60_000
const outputBytesMax = 4_194_304
const programsFolder = 'programs'

export interface ExampleRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface ExampleProgram {
  readonly language: ProgramLanguage
  readonly text: string
  /** Names the file of the program. */
  readonly name: string
  readonly environment: Readonly<Record<string, string>>
  /** The interpreter that has the official client. */
  readonly python: string
}

/**
 * What a reader has at hand: `npx rialto` of this checkout, the `openai` package, and a `curl` for which an HTTP error is a
 * failure, so that an example that is answered with one does not pass.
 */
export async function prepareDesk({ folder }: Installation): Promise<void> {
  const programs = join(folder, programsFolder)
  await mkdir(programs)
  await writeProgram(
    join(programs, 'npx'),
    `test "$1" = rialto && shift && exec "${process.execPath}" "${rialtoProgram}" "$@"`,
  )
  await writeProgram(join(programs, 'curl'), `PATH=\${PATH#*:} exec curl --silent --show-error --fail-with-body "$@"`)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
}

async function writeProgram(path: string, line: string): Promise<void> {
  await writeFile(path, `#!/bin/bash\n${line}\n`)
  await chmod(path, 0o755)
}

/** Runs a program as a reader would who pasted it. Resolves whatever its exit code is. */
export async function runExample({ folder }: Installation, program: ExampleProgram): Promise<ExampleRun> {
  const { language, text, name, python } = program
  const PATH = `${join(folder, programsFolder)}:${program.environment['PATH']}`
  const environment = { ...program.environment, PATH }
  if (language === 'sh') return run('bash', ['--norc', '-euo', 'pipefail', '-c', text], { folder, environment })
  const file = join(folder, `${name}.${language === 'js' ? 'mjs' : 'py'}`)
  await writeFile(file, text)
  const command = language === 'js' ? process.execPath : python
  return run(command, [file], { folder, environment })
}

function run(
  command: string,
  parameters: readonly string[],
  { folder, environment }: { folder: string; environment: Readonly<Record<string, string>> },
): Promise<ExampleRun> {
  const options = { cwd: folder, env: environment, timeout: exampleMs, maxBuffer: outputBytesMax }
  return new Promise((resolve, reject) => {
    execFile(command, parameters, options, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr })
      else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr })
      else reject(error)
    })
  })
}
