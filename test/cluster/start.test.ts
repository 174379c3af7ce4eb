import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { rialto, useInstallation } from '../cli/installation.ts'
import { ServeProcess } from '../cli/serve-process.ts'
import { eventsNamed } from '../support/gateway/log-lines.ts'
import { waitFor } from '../support/wait-for.ts'
import { isAlive } from './workers.ts'

const installation = useInstallation()
const started: ServeProcess[] = []

function serve(...words: string[]): ServeProcess {
  const process = new ServeProcess(installation, words)
  started.push(process)
  return process
}

afterEach(async () => {
  await Promise.all(started.splice(0).map(process => process.kill()))
})

/** Several of them, which a busy machine takes its time for. */
const manyStarts = { timeout: 120_000 }
const keyPattern = /vk-[0-9A-Za-z]{43}/g

describe('serve --workers', () => {
  it(
    'prints keys once, from one process, whatever it is asked meanwhile, and listens on one free port for --port 0',
    manyStarts,
    async () => {
      const gateway = serve('--workers', '3', '--port', '0')
      // The first process serves with its first worker already when the others are not ready.
      await waitFor('the first worker', () => eventsNamed(gateway.stdout, 'worker.started').length > 0, {
        withinMs: 60_000,
      })
      for (const signal of ['SIGHUP', 'SIGUSR2'] as const) gateway.signal(signal)
      const url = await gateway.ready()
      const keys = new Set(gateway.stdout.match(keyPattern))
      expect(keys.size).toBe(2)
      expect(gateway.stdout.match(/^Rialto /gm)).toHaveLength(1)
      expect(gateway.stdout).toMatch(/^ {2}workers +3 processes on one port$/m)
      expect(gateway.stderr).toBe('')
      const headers = { authorization: `Bearer ${[...keys][0]}` }
      for (let call = 0; call < 6; call += 1) {
        const answered = await fetch(`${url}/v1/key`, { headers: { ...headers, connection: 'close' } })
        expect(answered.status).toBe(200)
      }
      gateway.signal('SIGINT')
      expect(await gateway.ended).toBe(0)
    },
  )

  it(
    'is refused on a port that is taken, like a gateway of one process, and leaves no process',
    manyStarts,
    async () => {
      const gateway = serve('--workers', '2', '--port', '0')
      const { port } = new URL(await gateway.ready())
      const elsewhere = { RIALTO_DATA: `${installation.folder}/other` }
      const second = await rialto(installation, ['serve', '--workers', '2', '--port', port], { environment: elsewhere })
      expect(second.code).toBe(1)
      expect(second.stderr).toBe(
        `rialto: 127.0.0.1 port ${port} is in use: stop what listens there, or choose another with --port.\n`,
      )
      const third = await rialto(installation, ['serve', '--workers', '2', '--port', '0'])
      expect([third.code, third.stderr]).toEqual([
        1,
        expect.stringMatching(/^rialto: another gateway runs on this store/),
      ])
    },
  )

  it('ends with the reason when no worker can be started any more', manyStarts, async () => {
    const gateway = serve('--workers', '2', '--port', '0')
    const port = Number(new URL(await gateway.ready()).port)
    for (const pid of await workersOf(gateway)) process.kill(pid, 'SIGKILL')
    const thief = await waitFor('the port to be free', () => takePort(port), { everyMs: 1 })
    expect(await gateway.ended).toBe(1)
    thief.close()
    expect(gateway.stderr).toMatch(/^rialto: no worker can be started any more; the last one said: .*EADDRINUSE.*\n$/)
    const failed = eventsNamed(gateway.stdout, 'worker.start_failed')
    expect(failed.length).toBeGreaterThanOrEqual(10)
    expect(failed.length).toBeLessThan(20)
  })

  it('does not wait at a second signal', manyStarts, async () => {
    const gateway = serve('--workers', '2', '--port', '0')
    await gateway.ready()
    const pids = await workersOf(gateway)
    gateway.signal('SIGTERM')
    gateway.signal('SIGTERM')
    expect([0, 130]).toContain(await gateway.ended)
    await waitFor('the workers to be gone', () => !pids.some(isAlive), { withinMs: 5_000 })
  })

  it.each(['0', '65', 'two', '1.5', '-1'])('takes a number of processes, and %s is none', async words => {
    const { code, stderr } = await rialto(installation, ['serve', `--workers=${words}`])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--workers must be a whole number from 1 to 64.')])
  })

  it('says in one process that a rolling restart needs several, and goes on', async () => {
    const gateway = serve('--port', '0')
    await gateway.ready()
    gateway.signal('SIGUSR2')
    await waitFor('the log', () => eventsNamed(gateway.stdout, 'workers.none').length > 0)
    gateway.signal('SIGTERM')
    expect(await gateway.ended).toBe(0)
  })
})

function workersOf(gateway: ServeProcess): Promise<number[]> {
  const bothReady = () => {
    const ready = eventsNamed(gateway.stdout, 'worker.ready')
    return ready.length === 2 && ready.map(({ pid }) => Number(pid))
  }
  return waitFor('both workers', bothReady, { withinMs: 60_000 })
}

/** A server that does nothing on that port; null while somebody else has it. */
function takePort(port: number): Promise<Server | null> {
  const server = createServer()
  return new Promise(resolve => {
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
