import { expect, it } from 'vitest'
import { answer } from '../../support/mock-engine/index.ts'
import type { Client } from '../client.ts'
import { accessTo, question } from '../clients-gateway.ts'
import { callToolsThenAnswer, lisbon, toolAnswer, toolCalls, weatherIn, weatherTool } from '../scenes.ts'
import { replyOf } from './outcomes.ts'
import type { ContractOptions } from './traits.ts'

export function describeTools(client: Client, { gateway, surface }: ContractOptions): void {
  for (const way of ['useTools', 'useToolsInStream'] as const)
    it(`runs the tools that the model calls and gives the results back${way === 'useTools' ? '' : ', in streams'}`, async () => {
      gateway.engine().always(callToolsThenAnswer)
      const reply = replyOf(await client[way](accessTo(gateway, 'main', surface), question))
      const cities = toolCalls.map(call => JSON.parse(call.arguments) as { city: string })
      expect(reply).toEqual({ text: toolAnswer, uses: cities.map(input => ({ name: weatherTool.name, input })) })
      const [first, second, ...further] = gateway.engine().requests.map(({ body }) => body)
      expect(further).toEqual([])
      expect(first?.['tools']).toMatchObject([
        { type: 'function', function: { name: weatherTool.name, parameters: weatherTool.parameters } },
      ])
      const [asked, called, ...results] = (second?.['messages'] ?? []) as readonly object[]
      expect(asked).toEqual({ role: 'user', content: question.prompt })
      expect(called).toMatchObject({
        role: 'assistant',
        tool_calls: toolCalls.map(({ id }) => ({ id, type: 'function' })),
      })
      expect(results).toMatchObject(
        toolCalls.map(({ id }, index) => ({
          role: 'tool',
          tool_call_id: id,
          content: weatherIn(cities[index] ?? { city: '' }),
        })),
      )
    })

  it('gets an object that fits its JSON schema', async () => {
    gateway.engine().next(answer({ text: [JSON.stringify(lisbon)] }))
    expect(replyOf(await client.structure(accessTo(gateway, 'main', surface), question))).toEqual(lisbon)
    expect(gateway.engine().requests.at(-1)?.body?.['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { strict: true, schema: { required: ['name', 'population'] } },
    })
  })
}
