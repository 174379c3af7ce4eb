import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withFolderLock } from '../folder-lock.ts'
import { waitFor } from '../wait-for.ts'
import { giveAway, temporaryBase } from './unprivileged.ts'

/** `<pid of the run>-<random>`, set by the global set-up for all workers of the run. A bench has none: it is its own run. */
const runVariable = 'RIALTO_TEST_RUN'
const guardScript = fileURLToPath(new URL('guard.sh', import.meta.url))
const lockHeldMsMax = 60_000
const endMs = 15_000

/** Names the run that this process and its children belong to. */
export function beginRun(): void {
  process.env[runVariable] = `${process.pid}-${randomBytes(4).toString('hex')}`
}

/** Ends every server of the run and removes the run's folder. Does nothing when none was started. */
export async function endRun(): Promise<void> {
  const folder = await folderOfRun()
  if (!existsSync(folder)) return
  await writeFile(join(folder, 'ended'), '')
  await waitFor('the servers of the run to end', () => !existsSync(folder), { withinMs: endMs, everyMs: 50 })
}

/** The folder of all servers of the run. Whoever comes first makes it and sets the guard over it. */
export async function runFolder(): Promise<string> {
  const folder = await folderOfRun()
  await mkdir(folder, { recursive: true })
  await onceInRun('guarded', async () => {
    await giveAway(folder)
    spawn('/bin/sh', [guardScript, folder, runPid()], { detached: true, stdio: 'ignore', cwd: '/' }).unref()
  })
  return folder
}

/** A new folder for one server. */
export async function serverFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(await runFolder(), `${name}-`))
  await giveAway(folder)
  return folder
}

/** Does something once per run, whichever worker comes first; the others wait until it is done. */
export async function onceInRun(mark: string, perform: () => Promise<void>): Promise<void> {
  const folder = await folderOfRun()
  const done = join(folder, `${mark}.done`)
  if (existsSync(done)) return
  await withFolderLock(join(folder, `${mark}.lock`), lockHeldMsMax, async () => {
    if (existsSync(done)) return
    await perform()
    await writeFile(done, '')
  })
}

async function folderOfRun(): Promise<string> {
  if (!process.env[runVariable]) beginRun()
  return join(await temporaryBase(), `rialto-postgres-${process.env[runVariable]}`)
}

function runPid(): string {
  const [pid = ''] = process.env[runVariable]?.split('-') ?? []
  if (!/^\d+$/.test(pid)) throw new Error(`${runVariable} must be <pid>-<random>`)
  return pid
}
