import OpenAI from 'openai'
import type { ChatCompletionChunk } from 'openai/resources/chat/completions'
import { describe, expect, it } from 'vitest'
import { nanoOf, priceOf, useGateway } from '../../support/gateway/index.ts'
import { stretched } from '../../support/lapse.ts'
import { answer } from '../../support/mock-engine/index.ts'
import { waitFor } from '../../support/wait-for.ts'
import { accessTo, question, testModel } from '../clients-gateway.ts'
import { bodyOf, connect, openAiNode, openAiNodeTraits } from '../openai-node.ts'
import { describeStrictClient } from './describe-strict-client.ts'
import { strictGateway, strictSurface } from './strict-gateway.ts'

const gateway = useGateway(strictGateway)

describeStrictClient('openai for Node', openAiNode, {
  gateway,
  showsMessages: true,
  traits: openAiNodeTraits,
})

const client = () => connect(accessTo(gateway, 'main', strictSurface), { retries: 0 })

/** What its types do not know, its objects have. */
interface Extras {
  readonly cost?: { readonly usd: number; readonly diem: number }
  readonly venice_parameters?: Readonly<Record<string, unknown>>
}

describe('openai for Node, beyond the contract', () => {
  it('sends venice_parameters in its body and shows what took effect, and what it cost', async () => {
    const body = { ...bodyOf(question), venice_parameters: { strip_thinking_response: true, of_tomorrow: 1 } }
    const completion = (await client().chat.completions.create(body)) as Extras
    expect(completion.venice_parameters).toMatchObject({ strip_thinking_response: true, web_search_citations: [] })
    expect(completion.venice_parameters).not.toHaveProperty('of_tomorrow')
    expect(completion.cost?.diem).toBe(0)
    expect(nanoOf(completion.cost?.usd ?? -1)).toBe(priceOf({ prompt: 16, completion: 5 }))
    expect(gateway.engine().requests[0]?.body).not.toHaveProperty('venice_parameters')
  })

  it('gets usage and cost at the end of a stream in a chunk without choices, and none before', async () => {
    const chunks: (ChatCompletionChunk & Extras)[] = []
    for await (const chunk of await client().chat.completions.create({ ...bodyOf(question), stream: true }))
      chunks.push(chunk)
    const last = chunks.pop()
    expect(last).toMatchObject({ choices: [], usage: { total_tokens: 21 }, cost: { diem: 0 } })
    expect(chunks.filter(({ usage, choices }) => usage != null || choices.length === 0)).toEqual([])
  })

  it('quotes the words of a refusal, and names the request', async () => {
    const body = { ...bodyOf(question), temperature: 3 }
    const error: unknown = await client()
      .chat.completions.create(body)
      .catch((thrown: unknown) => thrown)
    if (!(error instanceof OpenAI.BadRequestError)) throw error
    expect(error.message).toBe('400 "Invalid request parameters"')
    expect(error.headers.get('x-request-id')).toBe(error.requestID)
  })

  it('lists the models, and asks for one by its trait and with settings in its name', async () => {
    const { data: models } = await client().models.list()
    expect(models.map(({ id }) => id)).toEqual([testModel])
    const body = { ...bodyOf(question), model: 'default:enable_web_citations=true' }
    const completion: Extras & { model: string } = await client().chat.completions.create(body)
    expect(completion.model).toBe(testModel)
    expect(completion.venice_parameters?.['enable_web_citations']).toBe(true)
  })

  it('shows reasoning apart from the text, and hands it back in the next turn', async () => {
    gateway.engine().next(answer({ text: ['<think>Hm,', ' Lisbon.</think>', 'Sunny.'] }))
    const first = await client().chat.completions.create(bodyOf(question))
    const { message } = first.choices[0] ?? {}
    expect(message).toMatchObject({ reasoning_content: 'Hm, Lisbon.', content: 'Sunny.' })
    if (message === undefined) throw new Error('no message')
    const { messages } = bodyOf(question)
    await client().chat.completions.create({ model: testModel, messages: [...messages, message, ...messages] })
    const sent = gateway.engine().requests.at(-1)?.body?.['messages'] as readonly object[]
    expect(sent[1]).toMatchObject({ role: 'assistant', content: 'Sunny.', reasoning_content: 'Hm, Lisbon.' })
  })

  it('aborts a stream by its own button, which stops the engine', async () => {
    gateway.engine().next(answer({ chunks: 900, everyMs: 20 }))
    const stream = client().chat.completions.stream(bodyOf(question))
    stream.once('content', () => stream.abort())
    await expect(stream.done()).rejects.toBeInstanceOf(OpenAI.APIUserAbortError)
    await waitFor('the engine to be left', () => gateway.engine().requests[0]?.closedByPeerAt, {
      withinMs: stretched(1_000),
    })
  })
})
