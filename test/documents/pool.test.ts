import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Job, JobOutcome } from '../../src/adapters/documents/pool/job.ts'
import { createJobPool, type JobPool } from '../../src/adapters/documents/pool/job-pool.ts'
import { systemClock } from '../../src/adapters/system/system-clock.ts'
import { systemTimers } from '../../src/adapters/system/system-timers.ts'
import { waitFor } from '../support/wait-for.ts'

const pools: JobPool[] = []
afterAll(() => Promise.all(pools.map(pool => pool.close())))

interface PoolSettings {
  readonly childrenMax?: number
  readonly memoryMiB?: number
  readonly cpuMsMax?: number
  readonly wallMsMax?: number
}

const far = 60_000

/** Children that run a script, which has the job's bytes as `input` and answers with `answer(body)`. */
function poolOf(script: string, settings: PoolSettings = {}): JobPool {
  const { childrenMax = 2, memoryMiB = 512, cpuMsMax = far, wallMsMax = far } = settings
  const words = ['--input-type=module', '-e', prelude + script]
  const pool = createJobPool({
    childrenMax,
    limits: { memoryBytesMax: memoryMiB * 1_048_576, cpuMsMax, wallMsMax },
    walls: async () => ({ command: () => ({ file: process.execPath, arguments: words }), groups: null }),
    clock: systemClock,
    timers: systemTimers,
  })
  pools.push(pool)
  return pool
}

const prelude = `
import { setTimeout as sleep } from 'node:timers/promises'
let all = ''
for await (const piece of process.stdin) all += piece
if (all === '') process.exit()
const input = all.slice(all.indexOf('\\n') + 1)
const answer = (body, bodyBytes = Buffer.byteLength(String(body))) =>
  process.stdout.write(JSON.stringify({ bodyBytes }) + '\\n' + body)
`

function job(bytes: string, lane = 'a'): Job {
  return { head: { kind: 'image', to: null }, bytes: Buffer.from(bytes), lane, answerBytesMax: 100_000 }
}

const never = new AbortController().signal

function bodyOf(outcome: JobOutcome): string {
  if (outcome.kind === 'failure') throw new Error(outcome.reason)
  return outcome.body.toString()
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** What a process has started and not yet been told the end of; empty where there is no /proc. */
function childrenOf(pid: number): readonly number[] {
  const tasks = `/proc/${pid}/task`
  return existsSync(tasks)
    ? readFileSync(`${tasks}/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number)
    : []
}

describe('a child is ended', () => {
  it.each([
    [
      'at its memory',
      'const kept = []; for (;;) { kept.push(Buffer.alloc(2**22, 1)); await sleep(1) }',
      { memoryMiB: 200 },
      'memory',
    ],
    ['at its processor time', 'for (;;) {}', { cpuMsMax: 300 }, 'timeout'],
    ['at its time', 'await sleep(1e6)', { wallMsMax: 300 }, 'timeout'],
    ['when it says too much', 'for (;;) answer("x".repeat(65_536)), await sleep(1)', {}, 'output'],
    ['when it goes without an answer', 'process.exit(3)', {}, 'crash'],
    ['when it says what cannot be understood', 'process.stdout.write("{not json\\nx")', {}, 'crash'],
    ['when it says only a part', 'process.stdout.write("{}")', {}, 'crash'],
    ['when it ends in the middle of its answer', 'answer("half", 8)', {}, 'crash'],
    [
      'when somebody kills it in the middle of its answer',
      'answer("half", 8); await sleep(50); process.kill(process.pid, "SIGKILL")',
      {},
      'crash',
    ],
    ['when somebody kills it in mid file', 'process.kill(process.pid, "SIGKILL"); await sleep(1e6)', {}, 'crash'],
    ['when it says garbage', 'process.stdout.write(Buffer.alloc(50_000, 0xa7)); await sleep(10)', {}, 'crash'],
  ] as const)('%s', async (_, script, settings, reason) => {
    expect(await poolOf(script, settings).run(job('x'), never)).toEqual({ kind: 'failure', reason })
  })

  it('with whatever it has started', async () => {
    const script = `
      const { spawn } = await import('node:child_process')
      const grandchild = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
      grandchild.unref()
      answer(grandchild.pid)`
    const pid = Number(bodyOf(await poolOf(script).run(job('x'), never)))
    await waitFor('the grandchild to be gone', () => !isAlive(pid))
  })

  it('at its time, also where what it started holds on to its output and has left its group', async () => {
    const script = `
      const { spawn } = await import('node:child_process')
      const stdio = ['ignore', 'inherit', 'ignore']
      const words = ['-e', 'setTimeout(() => {}, 10_000)']
      spawn(process.execPath, words, { stdio, detached: true }).unref()
      process.exit()`
    const outcome = await poolOf(script, { childrenMax: 1, wallMsMax: 500 }).run(job('x'), never)
    expect(outcome).toEqual({ kind: 'failure', reason: 'timeout' })
  })

  it('when nobody waits for it any more, without a word to anybody else', async () => {
    const pool = poolOf('if (input === "slow") await sleep(1e6); answer(input)')
    const abort = new AbortController()
    const slow = pool.run(job('slow'), abort.signal)
    const other = pool.run(job('other'), never)
    expect(bodyOf(await other)).toBe('other')
    abort.abort()
    await expect(slow).rejects.toMatchObject({ name: 'AbortError' })
    expect(bodyOf(await pool.run(job('next'), never))).toBe('next')
  })
})

describe('jobs', () => {
  it('have a child each: nothing of one is there for the next', async () => {
    const pool = poolOf('globalThis.seen = (globalThis.seen ?? "") + input; answer(globalThis.seen + process.pid)')
    const answers = [await pool.run(job('one'), never), await pool.run(job('two'), never)].map(bodyOf)
    expect(answers[0]).toMatch(/^one\d+$/)
    expect(answers[1]).toMatch(/^two\d+$/)
    expect(answers[0]?.slice(3)).not.toBe(answers[1]?.slice(3))
  })

  it('are not harmed by others that crash, and neither is the gateway by one that does not listen', async () => {
    const pool = poolOf('if (input.startsWith("bad")) process.exit(9); answer(input)')
    const outcomes = await Promise.all(['bad', 'good', 'bad', 'fine'].map(text => pool.run(job(text), never)))
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failure', 'answer', 'failure', 'answer'])
    const deaf = poolOf('')
    expect(await deaf.run(job('x'.repeat(20_000_000)), never)).toMatchObject({ kind: 'failure', reason: 'crash' })
  })

  it('of one account wait behind each other, not before those of others', async () => {
    const pool = poolOf('answer(input)', { childrenMax: 1 })
    const order: string[] = []
    const run = async (text: string, lane: string) => {
      await pool.run(job(text, lane), never)
      order.push(text)
    }
    await Promise.all([run('a1', 'a'), run('a2', 'a'), run('a3', 'a'), run('b1', 'b'), run('c1', 'c')])
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
  })

  it('of one account that sends a hundred keep nobody else waiting longer than the ones that run', async () => {
    // With one place files end in the order in which they were begun, however long each takes.
    const pool = poolOf('answer(input)', { childrenMax: 1 })
    const order: string[] = []
    const send = async (text: string, lane: string) => {
      const { kind } = await pool.run(job(text, lane), never)
      if (kind === 'answer') order.push(text)
      return kind
    }
    const hundred = Array.from({ length: 100 }, (_, at) => send(`a${at}`, 'a'))
    expect(await send('b', 'b')).toBe('answer')
    expect(order).toEqual(['a0', 'a1', 'b'])
    const kinds = await Promise.all(hundred)
    expect(kinds.filter(kind => kind === 'answer')).toHaveLength(21)
    expect(kinds.filter(kind => kind === 'failure')).toHaveLength(79)
  })

  it('of one account wait twenty at a time; more are refused at once', async () => {
    const pool = poolOf('await sleep(1e6)', { childrenMax: 1 })
    const abort = new AbortController()
    const waiting = Array.from({ length: 21 }, () => pool.run(job('x'), abort.signal).catch(() => 'aborted'))
    expect(await pool.run(job('x'), never)).toEqual({ kind: 'failure', reason: 'busy' })
    abort.abort()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['aborted']))
  })

  it('that wait when the pool is closed are refused, and all children are gone', async () => {
    const pids = join(mkdtempSync(join(tmpdir(), 'rialto-pool-')), 'pids')
    const script = `const { appendFileSync } = await import('node:fs')
      appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n'); await sleep(1e6)`
    const pool = poolOf(script)
    const outcomes = Promise.all(['a', 'b', 'c', 'd'].map(lane => pool.run(job('x', lane), never)))
    const started = () => readFileSync(pids, 'utf8').split('\n').filter(Boolean).map(Number)
    await waitFor('two children to run', () => existsSync(pids) && started().length === 2)
    await pool.close()
    expect((await outcomes).map(outcome => outcome.kind === 'failure' && outcome.reason)).toEqual([
      ...['crash', 'crash'],
      ...['busy', 'busy'],
    ])
    expect(started().filter(isAlive)).toEqual([])
    rmSync(dirname(pids), { recursive: true })
  })

  it('never get a child that was ended before they came', async () => {
    const pool = poolOf('answer(input + " " + process.ppid)', { childrenMax: 1 })
    const children = () => childrenOf(process.pid)
    const before = new Set(children())
    for (let round = 0; round < 5; round += 1) {
      expect(bodyOf(await pool.run(job('x'), never))).toBe(`x ${process.pid}`)
      const ready = await waitFor('a child to be ready', () => children().find(pid => !before.has(pid)))
      process.kill(ready, 'SIGKILL')
      await waitFor('it to be gone', () => !children().includes(ready))
    }
  })

  it('are all refused where no child is allowed, and when the pool is closed', async () => {
    expect(await poolOf('', { childrenMax: 0 }).run(job('x'), never)).toEqual({ kind: 'failure', reason: 'disabled' })
    const pool = poolOf('process.stdout.write("{}\\n" + process.pid); await sleep(1e6)')
    const running = pool.run(job('x'), never)
    await pool.close()
    expect(await running).toMatchObject({ kind: expect.stringMatching('failure|answer') })
    expect(await pool.run(job('x'), never)).toEqual({ kind: 'failure', reason: 'busy' })
  })
})
