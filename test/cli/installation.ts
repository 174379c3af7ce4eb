import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type CommandResult, type Installation, rialtoProgram } from '../support/gateway/rialto-command.ts'

const commandMs = 60_000

/** A folder in which nothing was ever done: no configuration, no data, and nothing of the surroundings. */
async function makeInstallation(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-cli-'))
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder, RIALTO_DATA: join(folder, 'data') }
  return { folder, configFile: join(folder, 'rialto.yaml'), environment }
}

/** One such folder for all tests of a file; usable within tests. */
export function useInstallation(): Installation {
  let made: Installation | undefined
  beforeAll(async () => {
    made = await makeInstallation()
  })
  afterAll(async () => {
    if (made !== undefined) await rm(made.folder, { recursive: true, force: true })
  })
  return new Proxy({} as Installation, {
    get(_, name) {
      if (made === undefined) throw new Error('the installation exists only within tests')
      return Reflect.get(made, name) as unknown
    },
  })
}

export interface Surroundings {
  /** What the command reads from stdin; default: nothing. */
  readonly input?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Runs `rialto …` with pipes on all sides, as a script does. */
export async function rialto(
  { folder, environment }: Installation,
  parameters: readonly string[],
  surroundings: Surroundings = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [rialtoProgram, ...parameters], {
    cwd: folder,
    env: { ...environment, ...surroundings.environment },
    timeout: commandMs,
    killSignal: 'SIGKILL',
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8')
    child[name].on('data', (piece: string) => {
      output[name] += piece
    })
  }
  // A command that ends without reading its input is right to do so.
  child.stdin.on('error', () => undefined)
  child.stdin.end(surroundings.input ?? '')
  const [code] = await once(child, 'close')
  return { code: code as number, ...output }
}

/** The JSON on stdout, which must be all that is there, of a command that succeeds. */
export async function rialtoJson(installation: Installation, parameters: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await rialto(installation, [...parameters, '--json'])
  if (code !== 0) throw new Error(`rialto ${parameters.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}
