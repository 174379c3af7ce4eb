import { describe, expect, it } from 'vitest'
import { chatSchema } from '../../../src/dialects/venice/decode/chat-schema.ts'
import { veniceParametersSchema } from '../../../src/dialects/venice/decode/venice-parameters.ts'
import { useGateway } from '../../support/gateway/index.ts'
import { judgeRequestBody } from '../../support/openapi/judge-exchange.ts'
import { makeCharacters } from '../../support/venice/make-characters.ts'
import { ask, refused } from './ask.ts'
import { aliasRows, fieldRows, settingRows, suffixRows } from './rows.ts'

const capabilities = {
  functionCalling: true,
  responseSchema: true,
  logProbs: true,
  reasoning: true,
  vision: true,
  xSearch: true,
}
const gateway = useGateway({
  engines: { main: { xSearch: { search_parameters: { mode: 'on' } } } },
  models: {
    'test/model': { capabilities, traits: ['main'] },
    'test/plain': {},
  },
  beforeServe: installation => makeCharacters(installation, { sage: {} }),
})

const messages = [{ role: 'user', content: 'Hello' }]

/** Asks, and gives back the settings that took effect and what the engine got. */
async function taken(body: object) {
  const answer = await ask(gateway, body)
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  const settings = answer.json['venice_parameters'] as Readonly<Record<string, unknown>>
  return { settings, engineBody: gateway.engine().requests.at(-1)?.body ?? {} }
}

/** The published schema refuses what the gateway does. */
function expectPublished(body: object): void {
  expect(judgeRequestBody('/api/v1/chat/completions', { model: 'test/model', messages, ...body })).not.toEqual([])
}

describe('the fields of a request', () => {
  it('are all in this table', () => {
    expect(Object.keys(fieldRows).sort()).toEqual(Object.keys(chatSchema.shape).sort())
    expect(Object.keys(settingRows).sort()).toEqual(Object.keys(veniceParametersSchema.shape).sort())
  })

  it.each(Object.entries(fieldRows))('%s: takes what it takes', async (field, { takes, isForwarded = true }) => {
    for (const value of takes) {
      const { engineBody } = await taken({ [field]: value })
      if (isForwarded) expect(engineBody[field]).toEqual(value)
    }
  })

  it.each(Object.entries(fieldRows))('%s: refuses what it does not take', async (field, { refuses, inside = [] }) => {
    for (const value of refuses) {
      const body = { [field]: value }
      const { issues } = await refused(gateway, body)
      expect(issues).toEqual([expect.objectContaining({ path: [field, ...inside] })])
      if (field !== 'max_tokens' && value !== 'a||b') expectPublished(body)
    }
  })

  it.each(Object.keys(fieldRows).filter(field => field !== 'model' && field !== 'messages'))(
    '%s: null says as little as nothing',
    async field => {
      const { engineBody } = await taken({ [field]: null })
      expect(Object.keys(engineBody).sort()).toEqual(['max_tokens', 'messages', 'model', 'user'])
    },
  )

  it.each(Object.entries(aliasRows))('%s: is taken, and no engine gets it', async (field, { takes }) => {
    for (const value of takes) {
      const body = field === 'input' ? { messages: undefined, input: value } : { [field]: value }
      const { engineBody } = await taken(body)
      if (field !== 'user') expect(engineBody).not.toHaveProperty([field])
    }
  })
})

describe('the settings of venice_parameters', () => {
  it.each(Object.entries(settingRows))('%s: takes what it takes, and shows it', async (key, { takes, usual }) => {
    expect((await taken({})).settings[key]).toEqual(usual)
    for (const value of takes) {
      const { settings } = await taken({ venice_parameters: { [key]: value } })
      expect(settings[key]).toEqual(value)
    }
  })

  it.each(Object.entries(settingRows))('%s: refuses what it does not take', async (key, { refuses }) => {
    for (const value of refuses) {
      const { issues } = await refused(gateway, { venice_parameters: { [key]: value } })
      expect(issues).toEqual([expect.objectContaining({ path: ['venice_parameters', key] })])
      expectPublished({ venice_parameters: { [key]: value } })
    }
  })
})

describe('the settings in a model’s name', () => {
  it.each(Object.entries(suffixRows))('%s: wins over venice_parameters', async (key, [value, setting]) => {
    const { usual } = settingRows[key] ?? {}
    const { settings } = await taken({
      model: `test/model:${key}=${value}`,
      ...(usual === undefined ? {} : { venice_parameters: { [key]: usual } }),
    })
    expect(settings[key]).toEqual(setting)
  })

  it.each(Object.keys(suffixRows))('%s: refuses an empty value', async key => {
    const { issues } = await refused(gateway, { model: `test/model:${key}=` })
    expect(issues).toEqual([expect.objectContaining({ path: ['model'] })])
  })

  it.each(['enable_e2ee', 'enable_x_search', 'of_tomorrow'])('%s: is none', async key => {
    const { settings } = await taken({ model: `test/model:${key}=false` })
    expect(settings).toEqual((await taken({})).settings)
  })
})

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
const sound = { type: 'input_audio', input_audio: { data: 'UklGRg==' } }
const film = { type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } }
const tools = [{ type: 'function', function: { name: 'look' } }]
const inMessage = (part: object) => ({ messages: [{ role: 'user', content: [part] }] })
const within = (name: string) => ['messages', 0, 'content', 0, name]

/** The table of venice.md §1.8. */
const gates: readonly (readonly [capability: string, body: object, path: readonly (string | number)[]])[] = [
  ['supportsVision', inMessage(image), within('image_url')],
  ['supportsAudioInput', inMessage(sound), within('input_audio')],
  ['supportsVideoInput', inMessage(film), within('video_url')],
  ['supportsFunctionCalling', { tools }, ['tools']],
  ['supportsFunctionCalling', { tool_choice: 'auto' }, ['tool_choice']],
  ['supportsFunctionCalling', { parallel_tool_calls: true }, ['parallel_tool_calls']],
  ['supportsResponseSchema', { response_format: { type: 'json_object' } }, ['response_format']],
  ['supportsResponseSchema', { response_format: { type: 'json_schema', json_schema: {} } }, ['response_format']],
  ['supportsLogProbs', { logprobs: true }, ['logprobs']],
  ['supportsLogProbs', { top_logprobs: 0 }, ['top_logprobs']],
]

describe('what a model must be able to do', () => {
  it.each(gates)('%s: without it %j is refused', async (_, body, path) => {
    const { error, issues } = await refused(gateway, { model: 'test/plain', ...body })
    const message = `${path.at(-1)} is not supported by this model`
    expect(issues).toEqual([expect.objectContaining({ path, message })])
    expect(error).toBe('Invalid request parameters')
  })
})
