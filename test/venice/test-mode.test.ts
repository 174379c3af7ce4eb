import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'

const gateway = useGateway({
  engines: {},
  models: { 'rialto/sandbox': {} },
  settings: {
    engines: [{ id: 'embedded', kind: 'embedded' }],
    models: [
      {
        ...{ id: 'rialto/sandbox', served: [{ engine: 'embedded', model: 'sandbox' }], free: true },
        capabilities: { functionCalling: true, responseSchema: true, reasoning: true, logProbs: true },
        reasoning: { efforts: ['low', 'high'], default: 'low', canDisable: true },
      },
    ],
  },
})

async function ask(body: object) {
  const complete = { model: 'rialto/sandbox', messages: [{ role: 'user', content: 'Hello' }], ...body }
  const text = JSON.stringify(complete)
  const { status, json } = await gateway.client.send('/api/v1/chat/completions', { method: 'POST', body: text })
  expect(status).toBe(200)
  return { message: json.choices?.[0]?.message, usage: json.usage }
}

describe('test mode on the strict surface', () => {
  it.each([{ reasoning_effort: 'low' }, { reasoning: { effort: 'low' } }])(
    'reasons when it is asked to: %j',
    async wish => {
      const { message, usage } = await ask(wish)
      expect(message?.['reasoning_content']).toMatch(/\S/)
      expect(usage?.['completion_tokens_details']).toEqual({ reasoning_tokens: 16 })
    },
  )

  it.each([
    { reasoning: { enabled: false } },
    { venice_parameters: { disable_thinking: true } },
    { reasoning_effort: 'none' },
  ])('does not where it shall not: %j', async wish => {
    expect((await ask(wish)).message).not.toHaveProperty('reasoning_content')
  })

  it('hides what it was told to strip, and is paid for it all the same', async () => {
    const { message, usage } = await ask({
      reasoning_effort: 'low',
      venice_parameters: { strip_thinking_response: true },
    })
    expect(message).not.toHaveProperty('reasoning_content')
    expect(usage?.['completion_tokens_details']).toEqual({ reasoning_tokens: 16 })
  })
})
