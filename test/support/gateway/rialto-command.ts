import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const rialtoProgram = fileURLToPath(new URL('../../../bin/rialto.js', import.meta.url))

const commandMs = 60_000
const outputBytesMax = 67_108_864

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Where commands and the gateway run: nothing of the surroundings of the test reaches them. */
export interface Installation {
  readonly folder: string
  readonly configFile: string
  readonly environment: Readonly<Record<string, string>>
}

/** Runs `rialto …` as a process of its own. Resolves whatever the exit code is. */
export function runRialto(installation: Installation, parameters: readonly string[]): Promise<CommandResult> {
  const { folder, environment } = installation
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [rialtoProgram, ...parameters],
      { cwd: folder, env: environment, timeout: commandMs, maxBuffer: outputBytesMax },
      (error, stdout, stderr) => {
        if (error === null) resolve({ code: 0, stdout, stderr })
        else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr })
        else reject(error)
      },
    )
  })
}

/** Runs a command with `--json` and parses what it prints. Throws unless it succeeds. */
export async function rialtoJson<Value>(installation: Installation, parameters: readonly string[]): Promise<Value> {
  const { code, stdout, stderr } = await runRialto(installation, [...parameters, '--json'])
  if (code !== 0) throw new Error(`rialto ${parameters.join(' ')} ended with ${code}: ${stderr || stdout}`)
  return JSON.parse(stdout) as Value
}
