import { afterAll, describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { aiSdk } from './ai-sdk.ts'
import type { Client, Question } from './client.ts'
import { accessTo } from './clients-gateway.ts'
import { failureOf, replyOf } from './contract/outcomes.ts'
import { langchainJs } from './langchain-js.ts'
import { openAiNode } from './openai-node.ts'
import { preparePython } from './python/prepare-python.ts'
import { createPythonClient } from './python/python-client.ts'
import { weatherTool } from './scenes.ts'

const python = await preparePython()

/** Without a price, and without any engine beside it: what a first start without a configuration offers. */
const gateway = useGateway({
  engines: {},
  models: { 'rialto/sandbox': {} },
  settings: {
    engines: [{ id: 'embedded', kind: 'embedded' }],
    models: [{ id: 'rialto/sandbox', served: [{ engine: 'embedded', model: 'sandbox' }], tier: 'XS', free: true }],
  },
})

const ask = (prompt: string): Question => ({ model: 'rialto/sandbox', prompt })

describeInTestMode('openai for Node', openAiNode)
describeInTestMode('the Vercel AI SDK', aiSdk)
describeInTestMode('LangChain for JavaScript', langchainJs)
if ('obstacle' in python) it.skip(`the Python clients (skipped: ${python.obstacle})`)
else {
  const openai = createPythonClient(python.program, 'openai_client')
  const langchain = createPythonClient(python.program, 'langchain_client')
  afterAll(async () => {
    await Promise.all([openai.close(), langchain.close()])
  })
  describeInTestMode('openai for Python', openai)
  describeInTestMode('LangChain for Python', langchain)
}

function describeInTestMode(name: string, client: Client): void {
  describe(`${name}, in test mode`, () => {
    it('reads the same answer whole and as a stream', async () => {
      const whole = replyOf(await client.chat(accessTo(gateway), ask('sandbox:echo Hello there')))
      const streamed = replyOf(await client.stream(accessTo(gateway), ask('sandbox:echo Hello there')))
      expect(whole).toMatchObject({ text: 'Hello there', model: 'rialto/sandbox', finishReason: 'stop', cost: 0 })
      expect(streamed).toMatchObject({ text: 'Hello there', model: 'rialto/sandbox', usage: whole.usage })
      expect(streamed.pieces.length).toBeGreaterThan(1)
    })

    it('comes to the end of a tool loop, whole and as streams', async () => {
      for (const way of ['useTools', 'useToolsInStream'] as const) {
        const { text, uses } = replyOf(await client[way](accessTo(gateway), ask('sandbox:parallel-tools=2 Weather?')))
        expect(uses).toHaveLength(2)
        for (const use of uses) expect(use).toEqual({ name: weatherTool.name, input: { city: expect.any(String) } })
        expect(text).toContain('21 °C')
      }
    })

    it('gets an object that is valid for its schema', async () => {
      const city = replyOf(await client.structure(accessTo(gateway), ask('A city, please.')))
      expect(city).toEqual({ name: expect.any(String), population: expect.any(Number) })
      expect(Number.isInteger((city as { population: unknown }).population)).toBe(true)
    })

    it('fails as it was asked to', async () => {
      const overloaded = await client.chat(accessTo(gateway), {
        ...ask('sandbox:status=429 sandbox:retry-after=9'),
        retries: 0,
      })
      expect(failureOf(overloaded)).toMatchObject({ status: 429, code: 'engine_overloaded', retryAfter: '9' })
      const broken = await client.readBrokenStream(accessTo(gateway), ask('sandbox:tokens=9 sandbox:reset-after=3'))
      expect(broken.pieces).toHaveLength(3)
      expect(broken.failure).toMatchObject({ code: 'upstream_error' })
    })

    it('leaves a stream that goes on for minutes', async () => {
      const endless = { ...ask('sandbox:tokens=4000 sandbox:slow=20ms'), afterPieces: 3 }
      expect(replyOf(await client.leaveStream(accessTo(gateway), endless)).pieces).toHaveLength(3)
    })
  })
}
