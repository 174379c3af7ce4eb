import { describe, expect, it } from 'vitest'
import { useGateway } from '../../support/gateway/index.ts'
import { answer } from '../../support/mock-engine/index.ts'
import { accessTo, question, testModel } from '../clients-gateway.ts'
import { bodyOf } from '../openai-node.ts'
import { strictGateway, strictSurface } from './strict-gateway.ts'

/** What of the package is used here. */
interface DevTools {
  readonly VeniceAI: new (options: { apiKey: string; baseUrl: string; logLevel: number }) => DevClient
}

interface Completion {
  readonly choices: readonly {
    readonly message?: { readonly content: string }
    readonly delta?: { readonly content?: string }
  }[]
}

interface DevClient {
  readonly chat: {
    readonly completions: {
      create(body: object & { readonly stream: true }): AsyncIterable<Completion>
      create(body: object): Promise<Completion>
    }
  }
  readonly models: {
    list(): Promise<{
      readonly data: readonly { readonly id: string; readonly model_spec: { readonly name: string } }[]
    }>
    getTraits(): Promise<{ readonly data: Readonly<Record<string, string>> }>
  }
  readonly keys: {
    create(key: object): Promise<{ readonly api_key: { readonly id: string } }>
    list(): Promise<{ readonly data: readonly { readonly id: string; readonly description: string }[] }>
    delete(request: object): Promise<{ readonly success: boolean }>
  }
}

// @ts-expect-error The package does not hold the types that it names for modules.
const { VeniceAI } = (await import('@venice-dev-tools/core')) as DevTools
const silent = 4

const gateway = useGateway({ ...strictGateway, accounts: { admin: { key: { type: 'admin' } } } })
const client = (account = 'main') => {
  const { baseUrl, key } = accessTo(gateway, account, strictSurface)
  return new VeniceAI({ apiKey: key, baseUrl, logLevel: silent })
}

describe('the unofficial tools for this API', () => {
  it('chat, with settings of the API', async () => {
    gateway.engine().next(answer({ text: ['Sunny.'] }))
    const body = { ...bodyOf(question), venice_parameters: { include_venice_system_prompt: false } }
    const { choices } = await client().chat.completions.create(body)
    expect(choices[0]?.message?.content).toBe('Sunny.')
  })

  it('read a stream', async () => {
    gateway.engine().next(answer({ text: ['Sun', 'ny.'] }))
    const pieces: string[] = []
    for await (const { choices } of client().chat.completions.create({ ...bodyOf(question), stream: true }))
      pieces.push(choices[0]?.delta?.content ?? '')
    expect(pieces.join('')).toBe('Sunny.')
  })

  it('list models and traits', async () => {
    expect((await client().models.list()).data).toMatchObject([
      { id: testModel, model_spec: { name: expect.any(String) } },
    ])
    expect((await client().models.getTraits()).data).toEqual({ default: testModel })
  })

  it('make, list and delete keys', async () => {
    const { keys } = client('admin')
    const { api_key: made } = await keys.create({ apiKeyType: 'INFERENCE', description: 'of a tool' })
    expect((await keys.list()).data).toContainEqual(expect.objectContaining({ id: made.id, description: 'of a tool' }))
    expect(await keys.delete({ id: made.id })).toMatchObject({ success: true })
  })

  it('throw an error of their own that says what the gateway said', async () => {
    const asked = client().chat.completions.create({ ...bodyOf(question), model: 'test/modle' })
    await expect(asked).rejects.toMatchObject({
      message: expect.stringContaining('Specified model not found: test/modle'),
    })
  })
})
