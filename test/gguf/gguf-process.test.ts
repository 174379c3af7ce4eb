import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GgufProcess } from '../../src/adapters/engines/gguf-process.ts'
import type { LogFields } from '../../src/core/logger.ts'
import { tinyGgufContextTokens, writeTinyGguf } from '../support/tiny-gguf.ts'
import { type Client, createGgufClient } from './gguf-client.ts'
import { prepareGguf } from './prepare-gguf.ts'
import { startGguf } from './start-gguf.ts'

const obstacle = await prepareGguf()
const suite = obstacle === undefined ? describe : describe.skip
const root = fileURLToPath(new URL('../../', import.meta.url))

suite(`the GGUF engine's process${obstacle === undefined ? '' : ` (skipped: ${obstacle})`}`, () => {
  let events: { event: string; fields: LogFields }[] = []
  let folder = ''
  let file = ''
  let engine: GgufProcess
  let client: Client

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rialto-gguf-'))
    file = join(folder, 'tiny.gguf')
    await writeTinyGguf(file, { toolTemplate: false })
    engine = await startGguf(file, { onEvent: (event, fields) => events.push({ event, fields }) })
    client = createGgufClient(engine)
  })

  afterAll(async () => {
    await engine?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function logged(event: string): Promise<LogFields> {
    await until(() => events.some(entry => entry.event === event))
    return events.find(entry => entry.event === event)?.fields ?? {}
  }

  it('cannot start from a file that is no model, and says why', async () => {
    const broken = join(folder, 'broken.gguf')
    await writeFile(broken, 'not a model')
    await Promise.all([
      expect(startGguf(broken)).rejects.toThrow(/could not start: .*GGUF/),
      expect(startGguf(join(folder, 'missing.gguf'))).rejects.toThrow(/could not start: .*no such file/),
    ])
  })

  it('takes the context from the model when none is named', () => {
    expect(engine.contextTokens).toBe(tinyGgufContextTokens)
  })

  it('ends an answer that fills the context, dropping nothing of the prompt', async () => {
    const { choices, usage } = await client.chat({ messages: [{ role: 'user', content: 'x'.repeat(500) }] })
    expect(choices[0]?.finish_reason).toBe('length')
    expect(usage.prompt_tokens).toBe(504)
    expect(usage.total_tokens).toBe(tinyGgufContextTokens - 2)
  })

  it('refuses tools where the template of the model does not take them', async () => {
    const tools = [{ type: 'function', function: { name: 'now' } }]
    expect(await client.refusal({ tools })).toMatchObject({
      status: 400,
      error: { code: 'unsupported_value', param: 'tools', type: 'invalid_request_error' },
    })
    expect((await client.chat({ tools, tool_choice: 'none', max_tokens: 3 })).usage.completion_tokens).toBe(3)
  })

  it('leaves signals to its parent, which drains first', async () => {
    const { pid } = await logged('gguf.ready')
    process.kill(Number(pid), 'SIGTERM')
    process.kill(Number(pid), 'SIGINT')
    expect((await client.chat({ max_tokens: 3 })).usage.completion_tokens).toBe(3)
  })

  it('is started again on the same port after it was killed', async () => {
    const { pid } = await logged('gguf.ready')
    process.kill(Number(pid), 'SIGKILL')
    expect((await logged('gguf.restarted'))['pid']).not.toBe(pid)
    expect((await client.chat({ max_tokens: 3 })).usage.completion_tokens).toBe(3)
    expect(await logged('gguf.exited')).toEqual({ exit: 'SIGKILL' })
  })

  it('is gone after stop, and does not come back', async () => {
    const { pid } = await logged('gguf.restarted')
    events = []
    await engine.stop()
    await engine.stop()
    expect(isAlive(pid)).toBe(false)
    await sleep(400)
    expect(events).toEqual([])
    await expect(client.health()).rejects.toThrow()
  })

  it('ends when its parent is killed, even while it generates', async () => {
    const parent = spawnParent(fileURLToPath(new URL('./parent.ts', import.meta.url)), file)
    const { event, pid } = await firstReport(parent)
    expect(event).toBe('generating')
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await until(() => !isAlive(pid))
  })

  it('names the command that installs it where it is not installed', async () => {
    const bare = join(folder, 'bare')
    await mkdir(bare)
    await Promise.all(['src', 'test/gguf'].map(path => cp(join(root, path), join(bare, path), { recursive: true })))
    await writeFile(join(bare, 'package.json'), '{"type":"module"}')
    const { message } = await firstReport(spawnParent(join(bare, 'test/gguf/parent.ts'), file))
    expect(message).toContain('npm ci --prefix gguf --omit=optional')
  })

  if (process.env['RIALTO_TEST_LONG'] === '1')
    it('gives up after five restarts in a row that failed', async () => {
      const doomed = join(folder, 'doomed.gguf')
      await writeTinyGguf(doomed)
      events = []
      const engine = await startGguf(doomed, { onEvent: (event, fields) => events.push({ event, fields }) })
      await rm(doomed)
      process.kill(Number((await logged('gguf.ready'))['pid']), 'SIGKILL')
      await until(() => events.some(({ event }) => event === 'gguf.gave_up'), 60_000)
      expect(events.filter(({ event }) => event === 'gguf.restart_failed')).toHaveLength(5)
      await engine.stop()
    })
})

function spawnParent(script: string, file: string): ChildProcess {
  const words = ['--import', 'tsx', script, file]
  return spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
}

async function firstReport({ stdout }: ChildProcess): Promise<Readonly<Record<string, unknown>>> {
  if (stdout === null) throw new Error('no output')
  const line = await new Promise<string>(resolve => createInterface({ input: stdout }).once('line', resolve))
  return JSON.parse(line) as Readonly<Record<string, unknown>>
}

async function until(condition: () => boolean, msMax = 10_000): Promise<void> {
  for (let waited = 0; !condition(); waited += 20) {
    if (waited > msMax) throw new Error('it did not happen in time')
    await sleep(20)
  }
}

function isAlive(pid: unknown): boolean {
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}
