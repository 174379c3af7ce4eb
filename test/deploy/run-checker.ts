import { spawnSync } from 'node:child_process'

const checkerMs = 30_000

export interface Verdict {
  readonly code: number | null
  /** Both streams. */
  readonly output: string
}

/** Runs one of the programs that check or render what is deployed. */
export function runChecker(
  program: string,
  parameters: readonly string[],
  options: { cwd?: string; input?: string } = {},
): Verdict {
  const { status, stdout, stderr, error } = spawnSync(program, parameters, {
    ...options,
    encoding: 'utf8',
    timeout: checkerMs,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], SYSTEMD_COLORS: '0' },
  })
  if (error !== undefined) throw error
  return { code: status, output: `${stdout}${stderr}` }
}

export function succeeds(program: string, parameters: readonly string[]): boolean {
  return spawnSync(program, parameters, { stdio: 'ignore', timeout: checkerMs }).status === 0
}
