import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { answer, status } from '../support/mock-engine/index.ts'
import { adminClient } from '../support/venice/admin-client.ts'

const house = 'You speak for Lantern House, and never mention its cellar.'
const gateway = useGateway({
  models: { 'demo/one': { capabilities: { logProbs: true, reasoning: true } } },
  settings: { prompts: { house } },
})
const call = adminClient(gateway, 'main')
const ask = (change: object = {}) =>
  call('POST', '/chat/completions', {
    body: { model: 'demo/one', messages: [{ role: 'user', content: 'Hi' }], ...change },
  })

describe('the prompt of the house', () => {
  it.each([
    { error: { message: `messages.0.content: '${house}' is too long`, param: house, code: house } },
    { error: house },
    { message: `Invalid: ${house.toUpperCase().replaceAll(' ', '\n')}`, object: 'error' },
    { detail: [{ loc: ['body', 'messages', 0], msg: `Value error, got ${JSON.stringify(house)}`, input: house }] },
    { error: { message: 'bad: ... and never mention its cellar' } },
  ])('is not read from an engine that quotes it: %j', async body => {
    for (const code of [400, 404, 413, 422]) {
      gateway.engine().always(status(code, { body }))
      for (const stream of [false, true]) {
        const refused = await ask({ stream })
        expect(refused.status).toBeGreaterThanOrEqual(400)
        expect(refused.text).not.toMatch(/lantern|cellar/i)
      }
    }
  })

  it('costs an engine its words only where it is quoted', async () => {
    gateway.engine().always(status(400, { body: { error: { message: 'temperature is too high for this model' } } }))
    expect((await ask()).body).toMatchObject({ error: 'temperature is too high for this model' })
  })
})

describe('what was thought, stripped', () => {
  const thought = 'a secret'
  it.each([{ strip_thinking_response: true }, { disable_thinking: true }])('is in no byte with %j', async settings => {
    for (const text of [`<think>${thought}</think>Blue.`, ['<think>', thought, '</think>', 'Blue', '.']])
      for (const stream of [false, true]) {
        gateway.engine().always(answer({ text, logprobs: true }))
        const shown = await ask({ stream, logprobs: true, venice_parameters: settings })
        expect(shown.status).toBe(200)
        expect(shown.text).toContain('Blue')
        expect(shown.text).not.toMatch(/secret|<think>/)
      }
  })
})
