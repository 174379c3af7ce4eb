import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MockEngine, startMockEngine, status } from '../support/mock-engine/index.ts'
import { rialto, rialtoJson, useInstallation } from './installation.ts'

const installation = useInstallation()

describe('init', () => {
  it('writes the file of the example, for its owner alone, and never over another', async () => {
    const { code, stdout, stderr } = await rialto(installation, ['init'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(installation.configFile)
    const written = await readFile(installation.configFile, 'utf8')
    expect(written).toBe(await readFile(new URL('../../rialto.example.yaml', import.meta.url), 'utf8'))
    expect(statSync(installation.configFile).mode & 0o777).toBe(0o600)
    await writeFile(installation.configFile, 'mine: true\n')
    const again = await rialto(installation, ['init', '--json'])
    expect([again.code, again.stdout]).toEqual([1, ''])
    expect(JSON.parse(again.stderr).error.message).toContain('exists already and is not overwritten')
    expect(await readFile(installation.configFile, 'utf8')).toBe('mine: true\n')
  })

  it('writes elsewhere when asked, and says when it cannot', async () => {
    expect(await rialtoJson(installation, ['init', 'other.yaml'])).toEqual({
      file: join(installation.folder, 'other.yaml'),
    })
    const { code, stderr } = await rialto(installation, ['init', 'none/rialto.yaml'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be written (ENOENT)')])
  })
})

describe('doctor', () => {
  let engine: MockEngine
  beforeAll(async () => {
    engine = await startMockEngine()
  })
  afterAll(() => engine.close())

  interface Report {
    readonly ok: boolean
    readonly checks: readonly { name: string; ok: boolean; detail: string; mend: string | null }[]
  }

  async function examine(): Promise<{ code: number; report: Report }> {
    const { code, stdout } = await rialto(installation, ['doctor', '--json'])
    return { code, report: JSON.parse(stdout) as Report }
  }

  const failures = ({ checks }: Report) => checks.filter(({ ok }) => !ok).map(({ name, mend }) => [name, mend])

  function configure(baseUrl: string): Promise<void> {
    const engines = [{ id: 'main', baseUrl, timeouts: { connectMs: 500 } }]
    const models = [{ id: 'a/b', served: [{ engine: 'main', model: 'm' }], contextTokens: 4_096, maxOutputTokens: 100 }]
    return writeFile(installation.configFile, JSON.stringify({ engines, models }))
  }

  it('says where a configuration is wrong, and what is near', async () => {
    await writeFile(installation.configFile, 'engines:\n  - id: main\n    basUrl: http://127.0.0.1:1/v1\n')
    const { code, report } = await examine()
    expect([code, report.ok]).toEqual([1, false])
    const { detail } = report.checks.find(({ name }) => name === 'config') ?? { detail: '' }
    expect(detail).toMatch(/rialto.yaml:3:\d+ .*engines\[0\].basUrl.*did you mean "baseUrl"/)
    const { stdout } = await rialto(installation, ['doctor'])
    expect(stdout).toMatch(/^FAIL {2}config: [\s\S]*\n {6}mend: /m)
  })

  it('passes with an engine that answers one tiny completion', async () => {
    await configure(engine.url)
    const { code, report } = await examine()
    expect([code, report.ok, failures(report)]).toEqual([0, true, []])
    expect(engine.requests.at(-1)?.body).toMatchObject({ model: 'm', max_tokens: 16 })
  })

  it('fails with an engine that does not, and says how to mend it', async () => {
    await configure(engine.url)
    engine.always(status(401))
    expect(failures((await examine()).report)).toEqual([['engine main', 'correct the engine’s apiKey']])
    await configure('http://127.0.0.1:1/v1')
    const { code, report } = await examine()
    expect([code, failures(report)]).toEqual([1, [['engine main', 'start the engine, or correct its baseUrl']]])
  })

  it('fails where others can write the data, or read the secret', async () => {
    await configure(engine.url)
    engine.forget()
    const data = join(installation.folder, 'data')
    mkdirSync(data, { recursive: true })
    chmodSync(data, 0o777)
    expect(failures((await examine()).report)).toContainEqual(['data folder', `chmod go-w ${data}`])
    chmodSync(data, 0o700)
    const secret = join(data, 'secret.key')
    chmodSync(secret, 0o644)
    expect(failures((await examine()).report)).toContainEqual(['data folder', `chmod 600 ${secret}`])
    chmodSync(secret, 0o600)
  })
})
