import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { nanoOf, priceOf, useGateway } from '../support/gateway/index.ts'
import { stretched } from '../support/lapse.ts'
import { answer, hang } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { accessTo, clientsGateway, hastyModel, limitedModel, question, testModel } from './clients-gateway.ts'
import { describeClient } from './contract/describe-client.ts'
import { bodyOf, connect, openAiNode, openAiNodeTraits } from './openai-node.ts'

const gateway = useGateway(clientsGateway)

describeClient('openai for Node', openAiNode, {
  gateway,
  traits: openAiNodeTraits,
})

const client = (retries?: number): OpenAI => connect(accessTo(gateway), retries === undefined ? {} : { retries })

describe('openai for Node, beyond the contract', () => {
  it('lists the models, and reads one whose id has a slash', async () => {
    const { data: models } = await client().models.list()
    expect(models.map(({ id }) => id)).toEqual([testModel, hastyModel, limitedModel])
    expect(await client().models.retrieve(testModel)).toEqual(models[0])
  })

  it('shows the ids of the request and of the completion', async () => {
    const { data, response, request_id } = await client().chat.completions.create(bodyOf(question)).withResponse()
    expect(response.headers.get('x-generation-id')).toBe(data.id)
    expect(request_id).toMatch(/^req_[0-9a-f]+$/)
    expect(response.headers.get('x-request-id')).toBe(request_id)
    expect(await gateway.client.generation(data.id)).toMatchObject({ id: data.id, outcome: 'done' })
  })

  it('assembles streams of several choices with their probabilities, and adds up their cost', async () => {
    gateway.engine().next(answer({ text: choice => [`answer ${choice}`, ' of two'] }))
    const body = { ...bodyOf(question), n: 2, logprobs: true }
    const completion = await client().chat.completions.stream(body).finalChatCompletion()
    expect(completion.choices.map(({ message }) => message.content)).toEqual(['answer 0 of two', 'answer 1 of two'])
    for (const { logprobs } of completion.choices)
      expect(logprobs?.content?.map(({ logprob }) => logprob)).toEqual([-0.125, -0.125])
    const { usage } = completion as { usage?: { cost?: number } }
    expect(nanoOf(usage?.cost ?? -1)).toBe(priceOf({ prompt: 16, completion: 4 }))
  })

  it('hands reasoning and parts of messages on as they are', async () => {
    gateway.engine().next(answer({ reasoning: ['Hm, Lisbon.'], text: ['Sunny.'] }))
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
    ]
    const completion = await client().chat.completions.create({
      model: testModel,
      messages: [{ role: 'user', content }],
    })
    expect(completion.choices[0]?.message).toMatchObject({ reasoning_content: 'Hm, Lisbon.', content: 'Sunny.' })
    expect(gateway.engine().requests[0]?.body?.['messages']).toEqual([{ role: 'user', content }])
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

  it('is answered once, and pays once, for requests that share an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'order-1' }
    const before = await gateway.client.credits()
    const first = await client().chat.completions.create(bodyOf(question), { headers })
    const second = await client().chat.completions.create(bodyOf(question), { headers })
    expect(second).toEqual(first)
    expect(gateway.engine().requests).toHaveLength(1)
    const charged = (await gateway.client.credits()).usedNano - before.usedNano
    expect(charged).toBe(priceOf({ prompt: 16, completion: 5 }))
  })

  it('does not ask again when an engine that was too slow may have worked for nothing', async () => {
    gateway.engine('hasty').always(hang('before-headers'))
    const asked = client().chat.completions.create({ ...bodyOf(question), model: hastyModel })
    await expect(asked).rejects.toMatchObject({ status: 504, code: 'upstream_timeout' })
    expect(gateway.engine('hasty').requests).toHaveLength(1)
  })

  it('throws RateLimitError with the wait when the account asks too often', async () => {
    const body = { ...bodyOf(question), model: limitedModel }
    await client(0).chat.completions.create(body)
    const error: unknown = await client(0)
      .chat.completions.create(body)
      .catch((thrown: unknown) => thrown)
    if (!(error instanceof OpenAI.RateLimitError)) throw error
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error' })
    expect(Number(error.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(Number(error.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(error.headers.get('x-ratelimit-limit-requests')).toBe('1')
    expect(error.headers.get('x-ratelimit-reset-requests')).toMatch(/^(\d+m)?\d+(\.\d+)?m?s$/)
    expect(gateway.engine().requests).toHaveLength(1)
  })
})
