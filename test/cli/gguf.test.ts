import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { prepareGguf } from '../gguf/prepare-gguf.ts'
import { writeTinyGguf } from '../support/tiny-gguf.ts'
import { rialtoJson, useInstallation } from './installation.ts'
import { ServeProcess } from './serve-process.ts'

const prepareMs = 240_000
const obstacle = await prepareGguf()
const installation = useInstallation()

let gateway: ServeProcess
beforeAll(async () => {
  if (obstacle !== undefined) return
  const file = join(installation.folder, 'tiny-noise.gguf')
  await writeTinyGguf(file)
  gateway = new ServeProcess(installation, ['--port', '0', '--gguf', file])
}, prepareMs)
afterAll(() => gateway?.kill())

it.skipIf(obstacle !== undefined)(
  'serve --gguf sells the model of the file under its name, at the default price',
  async () => {
    const url = await gateway.ready()
    expect(gateway.stdout).toMatch(/tiny-noise +0.25 USD in, 1 USD out per million tokens/)
    expect(gateway.stdout).toContain('"model":"tiny-noise"')
    const key = /vk-[0-9A-Za-z]{43}/.exec(gateway.stdout)?.[0]
    const body = { model: 'tiny-noise', max_tokens: 8, messages: [{ role: 'user', content: 'hi' }] }
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    const { model, usage } = (await response.json()) as { model: string; usage: Record<string, number> }
    expect(model).toBe('tiny-noise')
    const { prompt_tokens: prompt = 0, completion_tokens: completion = 0, cost } = usage
    expect(prompt).toBeGreaterThan(0)
    expect(Math.round((cost ?? 0) * 1e9)).toBe(prompt * 250 + completion * 1_000)
    gateway.signal('SIGTERM')
    expect(await gateway.ended).toBe(0)
    expect(await rialtoJson(installation, ['ledger', 'verify'])).toMatchObject({
      ok: true,
      usageRecords: 1,
      holdsOpen: 0,
    })
  },
)
