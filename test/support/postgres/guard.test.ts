import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { waitFor } from '../wait-for.ts'
import { describePostgres } from './index.ts'
import { isAlive } from './process-facts.ts'

const serverModule = fileURLToPath(new URL('postgres-server.ts', import.meta.url))
const program = `
  const { PostgresServer } = await import(${JSON.stringify(serverModule)})
  const server = await PostgresServer.create({}, 'memory')
  console.log(server.folder)
  setInterval(() => {}, 1000)
`

describePostgres('the guard of a run', () => {
  test('ends the servers of a run that was killed, and removes their files', async () => {
    const environment = { ...process.env, RIALTO_TEST_RUN: undefined }
    const run = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [output] = await once(run.stdout, 'data')
    const folder = String(output).trim()
    const pid = Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
    const data = realpathSync(join(folder, 'data'))
    expect(isAlive(pid)).toBe(true)
    run.kill('SIGKILL')
    await waitFor('the server to end', () => !isAlive(pid), { withinMs: 10_000 })
    await waitFor('its files to be gone', () => !existsSync(join(folder, '..')) && !existsSync(data), {
      withinMs: 10_000,
    })
  })
})
