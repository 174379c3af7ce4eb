import { expect, it } from 'vitest'
import { nanoOf, priceOf } from '../../support/gateway/index.ts'
import { answer, stall } from '../../support/mock-engine/index.ts'
import type { Client } from '../client.ts'
import { accessTo, question, testModel } from '../clients-gateway.ts'
import { temperature, unknownParameter } from '../scenes.ts'
import { replyOf } from './outcomes.ts'
import type { ContractOptions } from './traits.ts'

const completionId = /^chatcmpl-[0-9a-f]{32}$/

export function describeAnswers(client: Client, { gateway, traits }: ContractOptions): void {
  const usage = { prompt: 16, completion: 3, total: 19 }
  const cost = priceOf({ prompt: 16, completion: 3 })

  it('shows a whole answer with its usage, and its cost is what the account was charged', async () => {
    gateway.engine().next(answer({ text: ['Lis', 'bon is', ' sunny.'] }))
    const before = await gateway.client.credits()
    const reply = replyOf(await client.chat(accessTo(gateway), question))
    expect(reply).toMatchObject({ text: 'Lisbon is sunny.', model: testModel, finishReason: 'stop', usage })
    expect(reply.id).toMatch(completionId)
    expect(nanoOf(reply.cost ?? -1)).toBe(cost)
    expect((await gateway.client.credits()).usedNano - before.usedNano).toBe(cost)
  })

  it('shows the pieces of a stream when they come, then usage and cost', async () => {
    gateway.engine().next(stall({ afterChunks: 2, ms: 500 }, answer({ text: ['Lis', 'bon is', ' sunny.'] })))
    const reply = replyOf(await client.stream(accessTo(gateway), question))
    expect(reply.pieces.map(({ text }) => text)).toEqual(['Lis', 'bon is', ' sunny.'])
    const [, second, third] = reply.pieces.map(({ at }) => at)
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThan(300)
    expect(reply).toMatchObject({ text: 'Lisbon is sunny.', model: testModel, finishReason: 'stop', usage })
    if (traits.showsDetailsOfStreams === false) return
    expect(reply.id).toMatch(completionId)
    expect(nanoOf(reply.cost ?? -1)).toBe(cost)
  })

  it('reaches the engine with what the program said, unknown parameters included, and with nothing of the client', async () => {
    replyOf(await client.chatWithUnknownParameter(accessTo(gateway), question))
    const request = gateway.engine().requests.at(-1)
    expect(request?.body).toMatchObject({ temperature, ...unknownParameter })
    expect(request?.body?.['messages']).toEqual([{ role: 'user', content: question.prompt }])
    expect(request?.headers['authorization']).toBe(`Bearer ${gateway.secrets.engineKey}`)
    expect(Object.keys(request?.headers ?? {}).filter(header => header.startsWith('x-stainless'))).toEqual([])
    expect(request?.headers['user-agent'] ?? '').not.toMatch(/openai|langchain|ai-sdk|python/i)
  })
}
