import { describe, expect, it } from 'vitest'
import { decoded } from '../../../../test/support/venice/decode-body.ts'

const tool = { type: 'function', function: { name: 'f' } }
const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
const audio = { type: 'input_audio', input_audio: { data: 'AAAA' } }
const video = { type: 'video_url', video_url: { url: 'https://youtu.be/a' } }
const picture = { type: 'file', file: { file_data: 'data:image/png;base64,AAAA' } }
const document = { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } }

const needsOf = (members: object) => decoded(members).request.needs
const said = (...content: object[]) => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, ...content] }],
})
const at = (index: number, field: string) => ['messages', 0, 'content', index, field]

describe('what the model must be able to do', () => {
  it.each([
    [said(image), 'vision', at(1, 'image_url')],
    [said(document, picture), 'vision', at(2, 'file')],
    [said(audio), 'audioInput', at(1, 'input_audio')],
    [said(video), 'videoInput', at(1, 'video_url')],
    [{ tools: [tool] }, 'functionCalling', ['tools']],
    [{ tool_choice: 'none' }, 'functionCalling', ['tool_choice']],
    [{ parallel_tool_calls: true }, 'functionCalling', ['parallel_tool_calls']],
    [{ response_format: { type: 'json_object' } }, 'responseSchema', ['response_format']],
    [{ response_format: { type: 'json_schema', json_schema: {} } }, 'responseSchema', ['response_format']],
    [{ logprobs: true }, 'logProbs', ['logprobs']],
    [{ top_logprobs: 0 }, 'logProbs', ['top_logprobs']],
  ])('for %j is %s', (members, capability, path) => {
    expect(needsOf(members)).toEqual([{ capability, path }])
  })

  it.each([
    {},
    said(document),
    { tools: null },
    { tools: [] },
    { tools: [{ type: 'web_search' }] },
    { tool_choice: null },
    { parallel_tool_calls: false },
    { parallel_tool_calls: null },
    { response_format: { type: 'text' } },
    { response_format: null },
    { logprobs: false },
    { top_logprobs: null },
  ])('for %j is nothing', members => {
    expect(needsOf(members)).toEqual([])
  })

  it('is told in the order of the body, the first part of each kind for all of them', () => {
    const body = {
      logprobs: true,
      input: said(video, image, image, audio).messages,
      messages: undefined,
      tools: [tool],
    }
    expect(needsOf(body).map(({ path }) => path.at(-1))).toEqual([
      'logprobs',
      'video_url',
      'image_url',
      'input_audio',
      'tools',
    ])
  })
})
