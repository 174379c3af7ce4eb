import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { answer } from '../support/mock-engine/index.ts'
import { accessTo, clientsGateway, question } from './clients-gateway.ts'
import { describeClient } from './contract/describe-client.ts'
import { connect, langchainJs } from './langchain-js.ts'
import { openAiNodeTraits } from './openai-node.ts'
import { citySchema, lisbon } from './scenes.ts'

const gateway = useGateway(clientsGateway)

describeClient('LangChain for JavaScript', langchainJs, {
  gateway,
  // Its errors are those of the official client, but for the one of leaving.
  traits: { failures: { ...openAiNodeTraits.failures, stoppedWaiting: 'AbortError' } },
})

describe('LangChain for JavaScript, beyond the contract', () => {
  it('counts cached tokens', async () => {
    gateway.engine().next(answer({ text: ['Sunny.'], cachedTokens: 6 }))
    const message = await connect(accessTo(gateway), question).invoke(question.prompt)
    expect(message.usage_metadata).toMatchObject({ input_tokens: 16, input_token_details: { cache_read: 6 } })
  })

  it('answers a batch, each prompt with its own answer', async () => {
    gateway.engine().script(request => {
      const { messages } = request.body as { messages: readonly { readonly content: string }[] }
      return answer({ text: [`about ${messages[0]?.content}`] })
    })
    const cities = ['Lisbon', 'Porto', 'Faro', 'Braga']
    const messages = await connect(accessTo(gateway), question).batch(cities)
    expect(messages.map(({ text }) => text)).toEqual(cities.map(city => `about ${city}`))
  })

  it('gets an object through a tool that the model must call', async () => {
    gateway.engine().next(answer({ toolCalls: [{ id: 'call_1', name: 'city', arguments: JSON.stringify(lisbon) }] }))
    const model = connect(accessTo(gateway), question)
    const city = model.withStructuredOutput(citySchema, { name: 'city', method: 'functionCalling' })
    expect(await city.invoke(question.prompt)).toEqual(lisbon)
    const chosen = { type: 'function', function: { name: 'city' } }
    expect(gateway.engine().requests[0]?.body).toMatchObject({ tool_choice: chosen, tools: [chosen] })
  })
})
