import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayOptions, type HttpAnswer, useGateway } from '../support/gateway/index.ts'
import { FileServer } from '../support/media/file-server.ts'
import { dataUrl, makePicture } from '../support/media/pictures.ts'
import { sounds } from '../support/media/sounds-and-films.ts'
import { answer } from '../support/mock-engine/index.ts'
import { makeCharacters } from '../support/venice/make-characters.ts'
import { ask, forwarded, refused } from './chat-request/ask.ts'

const able = { functionCalling: true, reasoning: true, vision: true, audioInput: true, videoInput: true }
let files: FileServer
let picture: string
beforeAll(async () => {
  picture = dataUrl('image/png', await makePicture('png'))
})
afterAll(() => files.close())

const gateway = useGateway(async () => {
  files = await FileServer.start()
  return { ...options, settings: { ...options.settings, fetch: { allowHosts: [files.hostAndPort] } } }
})

const options: GatewayOptions = {
  models: {
    'test/model': { maxOutputTokens: 1_000, capabilities: { ...able, multipleImages: true } },
    'test/one-image': { capabilities: able },
    'test/openai': { family: 'openai-reasoning', capabilities: able },
    'test/uncapped': { maxOutputTokens: 500, apiCap: false },
  },
  settings: { prompts: { house: 'The house speaks.' } },
  beforeServe: installation =>
    makeCharacters(installation, {
      sage: { systemPrompt: 'You are a sage.' },
      recluse: { systemPrompt: 'You are a recluse.', customSystemPrompt: true },
    }),
}

const image = (url: string) => ({ type: 'image_url', image_url: { url } })
const video = (url: string) => ({ type: 'video_url', video_url: { url } })
const user = (...content: object[]) => ({ role: 'user', content })
const question = { role: 'user', content: 'Hello' }
const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } }

const seen = async (body: object) => (await forwarded(gateway, body)).engineBody
const echoOf = ({ json }: HttpAnswer) => json['venice_parameters'] as Readonly<Record<string, unknown>>

/** What callers of this API are told to watch out for, one test for each line of the list. */
describe('the notes on chat', () => {
  it('max_tokens is the older name: max_completion_tokens counts, and stays within maxCompletionTokens of the model', async () => {
    const { data } = (await gateway.client.send('/api/v1/models')).json as unknown as ModelList
    const cap = data.find(({ id }) => id === 'test/model')?.model_spec.maxCompletionTokens ?? 0
    expect(cap).toBe(1_000)
    expect(await seen({ max_completion_tokens: cap, max_tokens: 5 })).toMatchObject({ max_tokens: cap })
    gateway.engine().forget()
    const { issues } = await refused(gateway, { max_completion_tokens: cap + 1 })
    expect(issues).toMatchObject([
      {
        path: ['max_completion_tokens'],
        message: `max_completion_tokens (1001) exceeds the maximum allowed for model 'test/model' (1000)`,
      },
    ])
    expect(await seen({ model: 'test/uncapped', max_completion_tokens: cap })).toMatchObject({ max_tokens: 500 })
  })

  it('an unknown field at the top is refused, and an unknown key of venice_parameters is dropped without a word', async () => {
    const { issues } = await refused(gateway, { of_tomorrow: 1 })
    expect(issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['of_tomorrow'], path: [] }])
    const { answer: taken, engineBody } = await forwarded(gateway, { venice_parameters: { of_tomorrow: 1 } })
    expect([echoOf(taken), engineBody]).not.toContainEqual(expect.objectContaining({ of_tomorrow: 1 }))
  })

  it('an image behind a public address that does not redirect is taken', async () => {
    const bytes = await makePicture('png')
    const { messages } = await seen({ messages: [user(image(files.put('/cat.png', 'image/png', bytes)))] })
    expect((messages as object[]).at(-1)).toEqual(user(image(dataUrl('image/png', bytes))))
  })

  it('an image or a video that is not public, that redirects or that nobody could get is refused', async () => {
    const moved = files.answer('/moved', (_, response) => void response.writeHead(302, { location: '/cat.png' }).end())
    const addresses = [
      moved,
      'http://localhost:1/a',
      'http://192.168.0.1/a',
      'file:///etc/passwd',
      'ftp://example.com/a',
    ]
    for (const address of addresses)
      for (const [part, kind] of [[image(address), 'image'] as const, [video(address), 'video'] as const]) {
        const { error } = await refused(gateway, { messages: [user(part)] })
        expect(error).toBe(`Supplied ${kind} did not pass validation checks.`)
      }
  })

  it('audio is base64 and never a URL', async () => {
    const sound = sounds['wav']?.toString('base64') ?? ''
    const audio = (data: string) => user({ type: 'input_audio', input_audio: { data } })
    const { issues } = await refused(gateway, { messages: [audio('https://example.com/a.wav')] })
    expect(issues).toMatchObject([{ path: ['messages', 0, 'content', 0, 'input_audio', 'data'] }])
    const { messages } = await seen({ messages: [audio(sound)] })
    const taken = user({ type: 'input_audio', input_audio: { data: sound, format: 'wav' } })
    expect((messages as object[]).at(-1)).toEqual(taken)
  })

  it('a model for one image sees those of the last message that has any, and no older ones', async () => {
    const ask = (text: string) => user({ type: 'text', text }, image(picture))
    const conversation = [ask('And this?'), { role: 'assistant', content: 'A wall.' }, ask('And that?'), question]
    const { messages } = await seen({ model: 'test/one-image', messages: conversation })
    const withImages = (messages as object[]).map(message => JSON.stringify(message).includes('image_url'))
    expect(withImages.slice(-4)).toEqual([false, false, true, false])
    gateway.engine().forget()
    expect(JSON.stringify(await seen({ messages: conversation })).split('"image_url":').length - 1).toBe(2)
  })

  it('reasoning_details and thought_signature go back to the engine as they are, in a loop of tools', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
    const turn = {
      role: 'assistant',
      content: null,
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'sealed', index: 0, of_the_engine: [1] }],
      thought_signature: 'signed',
      tool_calls: [{ ...call, extra_content: { google: { thought_signature: 'g' } } }],
    }
    const result = { role: 'tool', tool_call_id: 'c1', content: 'A wall.' }
    const { messages } = await seen({ tools: [tool], messages: [question, turn, result] })
    expect((messages as object[]).slice(-3)).toEqual([question, turn, result])
  })

  it.each([
    [{ character_slug: 'sage' }, ['The house speaks.\n\nYou are a sage.', 'Be brief.']],
    [{ character_slug: 'sage', include_venice_system_prompt: false }, ['You are a sage.', 'Be brief.']],
    [{ character_slug: 'recluse' }, ['You are a recluse.', 'Be brief.']],
    [{ include_venice_system_prompt: false }, ['Be brief.']],
    [{}, ['The house speaks.', 'Be brief.']],
  ])(
    'the character comes before the caller, and the house before the character unless either says no: %j',
    async (settings, expected) => {
      const messages = [{ role: 'system', content: 'Be brief.' }, question]
      const body = await seen({ messages, venice_parameters: settings })
      const spoken = (body['messages'] as { role: string; content: string }[]).filter(({ role }) => role === 'system')
      expect(spoken.map(({ content }) => content)).toEqual(expected)
    },
  )

  it('entries web_search and x_search among the tools are no search, and reach no engine', async () => {
    const tools = [{ type: 'web_search' }, { type: 'x_search' }, tool]
    const { engineBody, answer: taken } = await forwarded(gateway, { tools })
    expect(engineBody['tools']).toEqual([tool])
    expect(echoOf(taken)).toMatchObject({ enable_web_search: 'off', enable_x_search: false, web_search_citations: [] })
  })

  it.each([
    ['seed', 7],
    ['stop', ['.']],
    ['n', 2],
    ['presence_penalty', 0.5],
    ['frequency_penalty', -0.5],
  ])('an OpenAI model that reasons takes no %s', async (field, value) => {
    const { issues } = await refused(gateway, { model: 'test/openai', [field]: value })
    expect(issues).toMatchObject([{ path: [field], message: `${field} is not supported by this model` }])
  })

  it('an OpenAI model that reasons takes what says nothing', async () => {
    const idle = { model: 'test/openai', n: 1, presence_penalty: 0, frequency_penalty: 0, seed: null, stop: null }
    gateway.engine().next(answer({ text: ['Sunny.'] }))
    expect((await ask(gateway, idle)).status).toBe(200)
  })
})

interface ModelList {
  readonly data: readonly { readonly id: string; readonly model_spec: { readonly maxCompletionTokens: number } }[]
}
