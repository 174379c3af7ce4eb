import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { findFreePort } from '../support/gateway/free-port.ts'
import { eventsNamed, readLog } from '../support/gateway/log-lines.ts'
import type { Installation } from '../support/gateway/rialto-command.ts'
import { answer, startMockEngine } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { rialto, useInstallation } from './installation.ts'
import { ServeProcess } from './serve-process.ts'

const started: ServeProcess[] = []

function serve(installation: Installation, ...parameters: string[]): ServeProcess {
  const process = new ServeProcess(installation, parameters)
  started.push(process)
  return process
}

afterEach(async () => {
  await Promise.all(started.splice(0).map(process => process.kill()))
})

const keyPattern = /vk-[0-9A-Za-z]{43}/g

describe('the first minute', () => {
  const installation = useInstallation()
  let firstKeys: string[] = []

  it('needs nothing: keys once, a call that works when it is pasted, and where everything is', async () => {
    const gateway = serve(installation, '--port', '0')
    const url = await gateway.ready()
    firstKeys = gateway.stdout.match(keyPattern) ?? []
    expect(new Set(firstKeys).size).toBe(2)
    expect(gateway.stdout).toMatch(/operator token {2}rialto-operator-[0-9A-Za-z]{43}$/m)
    expect(gateway.stdout).toContain('with 5 USD of credit')
    expect(gateway.stdout).toContain(join(installation.folder, 'data'))
    expect(gateway.stdout).toMatch(/rialto\/sandbox +free/)
    expect(gateway.stderr).toBe('')
    expect(await callAsPasted(gateway.stdout)).toMatchObject({
      status: 200,
      body: { model: 'rialto/sandbox', choices: [{ message: { content: expect.stringContaining('test mode') } }] },
    })
    const credits = await fetch(`${url}/v1/credits`, { headers: { authorization: `Bearer ${firstKeys[0]}` } })
    expect(await credits.json()).toMatchObject({ data: { balance: 5 } })
    gateway.signal('SIGTERM')
    expect(await gateway.ended).toBe(0)
  })

  it('leaves only hashes behind, and a secret that only its owner reads', async () => {
    const folder = join(installation.folder, 'data')
    const stored = await readFile(join(folder, 'rialto.db'), 'latin1')
    for (const key of firstKeys) expect(stored).not.toContain(key.slice(3))
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
  })

  it('happens once: the second start says how to make keys', async () => {
    const gateway = serve(installation, '--port', '0')
    const url = await gateway.ready()
    expect(gateway.stdout).not.toMatch(keyPattern)
    expect(gateway.stdout).toContain('rialto key create --account default')
    const answered = await fetch(`${url}/v1/key`, { headers: { authorization: `Bearer ${firstKeys[0]}` } })
    expect(answered.status).toBe(200)
  })

  it('is refused on a store that another gateway uses, and on a port that is taken, which costs no keys', async () => {
    const { folder, configFile, environment } = installation
    const gateway = serve(installation, '--port', '0')
    const port = new URL(await gateway.ready()).port
    const second = await rialto(installation, ['serve', '--port', '0'])
    expect([second.code, second.stdout]).toEqual([1, ''])
    expect(second.stderr).toMatch(/^rialto: another gateway runs on this store: .*\n$/)
    const elsewhere = { RIALTO_DATA: join(folder, 'other-data') }
    const third = await rialto(installation, ['serve', '--port', port], { environment: elsewhere })
    expect(third.code).toBe(1)
    expect(third.stderr).toBe(
      `rialto: 127.0.0.1 port ${port} is in use: stop what listens there, or choose another with --port.\n`,
    )
    const fourth = serve({ folder, configFile, environment: { ...environment, ...elsewhere } }, '--port', '0')
    await fourth.ready()
    expect(fourth.stdout.match(keyPattern)?.length).toBeGreaterThan(1)
  })

  it('ends with one readable message when something is wrong', async () => {
    await writeFile(join(installation.folder, 'bad.yaml'), 'servr: {}\n')
    for (const [words, message] of [
      [['--config', 'bad.yaml'], 'servr is not a known key; did you mean "server"?'],
      [['--config', 'none.yaml'], 'There is no configuration file'],
      [['--gguf', 'none.gguf'], 'GGUF'],
      [['--host', '203.0.113.9', '--port', '0'], 'is no address of this machine'],
    ] as const) {
      const { code, stdout, stderr } = await rialto(installation, ['serve', ...words])
      expect([code, readLog(stdout).length === 0 || stdout.startsWith('{')]).toEqual([1, true])
      expect(stderr).toMatch(/^rialto: /)
      expect(stderr).toContain(message)
      expect(stderr).not.toMatch(/\n\s+at /)
    }
  })
})

describe('a gateway that runs', () => {
  const installation = useInstallation()

  async function writeConfig(port: number, engineUrl: string, model: string): Promise<void> {
    const settings = {
      server: { port },
      engines: [{ id: 'main', baseUrl: engineUrl }],
      models: [{ id: model, served: [{ engine: 'main', model: 'm' }], contextTokens: 8_192, maxOutputTokens: 500 }],
    }
    await writeFile(installation.configFile, JSON.stringify(settings))
  }

  async function listModels(url: string): Promise<string[]> {
    const response = await fetch(`${url}/v1/models`)
    return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
  }

  it('takes a changed file at once, and again at SIGHUP, and keeps what is good when the file is not', async () => {
    const engine = await startMockEngine()
    const port = await findFreePort()
    await writeConfig(port, engine.url, 'test/one')
    const gateway = serve(installation)
    const url = await gateway.ready()
    expect(gateway.stdout).toContain(installation.configFile)
    expect(gateway.stdout).toMatch(/test\/one +0.25 USD in, 1 USD out per million tokens/)
    await writeConfig(port + 1, engine.url, 'test/two')
    await waitFor('the change', async () => (await listModels(url))[0] === 'test/two', { withinMs: 10_000 })
    const [reloaded] = await waitFor('the log', () => nonEmpty(eventsNamed(gateway.stdout, 'config.reloaded')))
    expect(reloaded).toMatchObject({ needsRestart: ['server.port'] })
    await writeFile(installation.configFile, 'models: 3\n')
    await waitFor('the refusal', () => eventsNamed(gateway.stdout, 'config.refused').length > 0, { withinMs: 10_000 })
    expect(await listModels(url)).toEqual(['test/two'])
    await writeConfig(port, engine.url, 'test/two')
    gateway.signal('SIGHUP')
    await waitFor('SIGHUP', () => eventsNamed(gateway.stdout, 'config.reloaded').length > 1, { withinMs: 10_000 })
    gateway.signal('SIGINT')
    expect(await gateway.ended).toBe(0)
    await engine.close()
  })

  /** A gateway whose port answers, though its start may not be over. */
  async function serveUntilAnswered(): Promise<{ readonly gateway: ReturnType<typeof serve>; end(): Promise<void> }> {
    const engine = await startMockEngine()
    const port = await findFreePort()
    await writeConfig(port, engine.url, 'test/one')
    const gateway = serve(installation)
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    await waitFor('the port to answer', answers, { withinMs: 60_000, everyMs: 1 })
    return { gateway, end: () => engine.close() }
  }

  it('takes SIGHUP and SIGUSR2 from the moment at which its port answers', async () => {
    const { gateway, end } = await serveUntilAnswered()
    for (const signal of ['SIGHUP', 'SIGUSR2'] as const) gateway.signal(signal)
    for (const event of ['config.reloaded', 'workers.none']) {
      await waitFor(event, () => eventsNamed(gateway.stdout, event).length > 0)
    }
    gateway.signal('SIGTERM')
    expect(await gateway.ended).toBe(0)
    await end()
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends orderly at %s from the moment at which its port answers',
    async name => {
      const { gateway, end } = await serveUntilAnswered()
      gateway.signal(name)
      expect(await gateway.ended).toBe(0)
      expect(eventsNamed(gateway.stdout, 'gateway.stopped')).toHaveLength(1)
      await end()
    },
  )

  it('lets a stream finish at SIGTERM, and does not wait at a second one', async () => {
    const engine = await startMockEngine()
    engine.always(answer({ text: Array.from({ length: 20 }, (_, index) => `word${index} `), everyMs: 100 }))
    await writeConfig(0, engine.url, 'test/one')
    const account = JSON.parse((await rialto(installation, ['key', 'create', '--account', 'default', '--json'])).stdout)
    for (const [signals, code] of [
      [1, 0],
      [2, 130],
    ] as const) {
      const gateway = serve(installation)
      const reading = openStream(await gateway.ready(), account.key)
      await waitFor('the stream', () => engine.requests.some(request => request.chunksWritten > 1), {
        withinMs: 10_000,
      })
      gateway.signal('SIGTERM')
      await waitFor('the drain', () => eventsNamed(gateway.stdout, 'drain.started').length > 0)
      if (signals === 2) gateway.signal('SIGTERM')
      expect(await gateway.ended).toBe(code)
      const text = await reading
      if (code === 0) expect(text).toMatch(/word19[\s\S]*data: \[DONE\]\n\n$/)
      else expect(text).not.toContain('[DONE]')
      engine.forget()
    }
    await engine.close()
  })

  it('writes one JSON object per line of its log, beside the text for the operator', async () => {
    await writeFile(installation.configFile, '{}')
    const gateway = serve(installation, '--port', '0')
    await gateway.ready()
    await waitFor('the log', () => eventsNamed(gateway.stdout, 'gateway.ready').length > 0)
    const lines = gateway.stdout.split('\n').filter(line => line.startsWith('{'))
    expect(readLog(gateway.stdout)).toHaveLength(lines.length)
    expect(existsSync(join(installation.folder, 'data', 'rialto.db'))).toBe(true)
  })
})

function nonEmpty<Item>(items: Item[]): Item[] | null {
  return items.length > 0 ? items : null
}

/** The text of the whole stream, as far as it came. */
async function openStream(url: string, key: string): Promise<string> {
  const body = { model: 'test/one', stream: true, messages: [{ role: 'user', content: 'hi' }] }
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  let text = ''
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
  } catch {
    text += ' (broken off)'
  }
  return text
}

/** Has a shell read the printed line, so that quoting is tried as well, and does what curl would do with its words. */
async function callAsPasted(output: string): Promise<{ status: number; body: unknown }> {
  const line = /^ *(curl .+)$/m.exec(output)?.[1] ?? ''
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
  const [url = '', ...options] = words
  const headers: [string, string][] = []
  let body = ''
  for (let at = 0; at < options.length; at += 2) {
    const value = options[at + 1] ?? ''
    if (options[at] === '-H') headers.push(value.split(': ') as [string, string])
    else if (options[at] === '-d') body = value
    else throw new Error(`an option that this test does not know: ${options[at]}`)
  }
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, body: await response.json() }
}
