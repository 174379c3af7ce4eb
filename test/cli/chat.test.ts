import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { answer, errorEvent, errorEvents, reset, status } from '../support/mock-engine/index.ts'
import { rialto, type Surroundings } from './installation.ts'

const gateway = useGateway({ models: { 'test/model': {}, 'test/other': {} } })

/** `rialto chat …` in a pipe, with the key of the account and the address of the gateway. */
function chat(input: string, parameters: readonly string[] = [], surroundings: Surroundings = {}) {
  const environment = { RIALTO_API_KEY: gateway.account().key, ...surroundings.environment }
  return rialto(gateway.installation, ['chat', '--url', `${gateway.url}/`, ...parameters], { input, environment })
}

const text = ['Four', '.\n', 'Really: \u001b[1m2+2 €🦊\u001b[0m']
const whole = text.join('')

describe('chat in a pipe', () => {
  it('prints the answer to what stdin asks, exactly and nothing else', async () => {
    gateway.engine().always(answer({ text, reasoning: ['Let me think.'] }))
    expect(await chat('What is 2+2?\n')).toEqual({ code: 0, stdout: `${whole}\n`, stderr: '' })
    expect(gateway.engine().requests.at(-1)?.body).toMatchObject({
      stream: true,
      messages: [{ role: 'user', content: 'What is 2+2?' }],
    })
  })

  it('asks as it was told: model, system prompt, limit, temperature', async () => {
    gateway.engine().always(answer({ text }))
    const options = ['--system', 'Be brief.', '--max-tokens', '7', '--temperature', '0.5']
    expect(await chat('one\n\ntwo\n', ['test/other', ...options])).toMatchObject({ code: 0 })
    expect(gateway.engine().requests.at(-1)?.body).toMatchObject({
      model: expect.stringContaining('test-other'),
      max_tokens: 7,
      temperature: 0.5,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'one\n\ntwo' },
      ],
    })
  })

  it('gives answer, reasoning, usage and cost as JSON', async () => {
    gateway.engine().always(answer({ text, reasoning: ['Let me ', 'think.'] }))
    const { code, stdout, stderr } = await chat('hi', ['--json'])
    expect([code, stderr]).toEqual([0, ''])
    const printed = JSON.parse(stdout)
    const generation = await gateway.client.generation(printed.id)
    expect(printed).toEqual({
      id: expect.stringMatching(/^chatcmpl-/),
      model: 'test/model',
      content: whole,
      reasoning: 'Let me think.',
      finishReason: 'stop',
      promptTokens: generation?.tokens_prompt,
      completionTokens: generation?.tokens_completion,
      costUsd: expect.stringMatching(/^0\.0000\d+$/),
      sources: [],
    })
    expect(Number(printed.costUsd)).toBe(generation?.total_cost)
  })

  it('takes the address with /v1 as well, and a key on the command line before the environment’s', async () => {
    const { key } = gateway.account()
    const surroundings = { input: 'hi', environment: { RIALTO_API_KEY: 'vk-wrong' } }
    const words = ['chat', '--url', `${gateway.url}/v1`, '--key', key]
    expect(await rialto(gateway.installation, words, surroundings)).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('a chat that fails says why on stderr, with code 1', () => {
  it.each([
    ['an unknown model', ['nix/model'], 'There is no model `nix/model`.'],
    ['an unknown key', ['--key', 'vk-wrong'], 'The API key is missing, unknown, revoked or expired.'],
    [
      'no gateway there',
      ['test/model', '--url', 'http://127.0.0.1:1'],
      'No gateway answers at http://127.0.0.1:1: nothing listens there.',
    ],
  ])('%s', async (_, parameters, message) => {
    const { code, stdout, stderr } = await rialto(
      gateway.installation,
      ['chat', ...(parameters.includes('--url') ? [] : ['--url', gateway.url]), ...parameters],
      { input: 'hi', environment: { RIALTO_API_KEY: gateway.account().key } },
    )
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^rialto: /)
    expect(stderr).toContain(message)
  })

  it('an engine that refuses', async () => {
    gateway.engine().always(status(400, { body: '{"error":{"message":"No such voice."}}' }))
    const { code, stdout, stderr } = await chat('hi', ['test/model'])
    expect([code, stdout, stderr]).toEqual([1, '', 'rialto: No such voice.\n'])
  })

  it('an answer that breaks off, after what came of it', async () => {
    gateway.engine().always(reset({ chunks: 1 }, answer({ text })))
    const { code, stdout, stderr } = await chat('hi', ['test/model'])
    expect([code, stdout]).toEqual([1, 'Four\n'])
    expect(stderr).toMatch(/^rialto: \S/)
    gateway.engine().always(errorEvent({ afterChunks: 1, data: errorEvents.openAi }))
    expect(await chat('hi', ['test/model', '--json'])).toMatchObject({ code: 1, stdout: '' })
  })

  it('a question that is missing, and a key that is missing', async () => {
    expect(await chat(' \n')).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no question') })
    const noKey = await chat('hi', [], { environment: { RIALTO_API_KEY: '' } })
    expect(noKey).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('A key is needed') })
  })

  it('something that is no gateway', async () => {
    const words = ['chat', 'm', '--url', gateway.engine().url.replace('/v1', '/elsewhere')]
    gateway.engine().always(status(404, { body: '<html>not here</html>' }))
    const environment = { RIALTO_API_KEY: gateway.account().key }
    const { code, stderr } = await rialto(gateway.installation, words, { input: 'hi', environment })
    expect([code, stderr]).toEqual([1, 'rialto: The address answered 404, not as a gateway does.\n'])
  })
})
