import { describe, expect, it } from 'vitest'
import { hello, issuesOf, messagesOf, refusalOf } from '../../../../../test/support/venice/decode-body.ts'
import {
  noForm,
  notOneOf,
  type Refusal,
  required,
  rowsOf,
  saying,
  tooSmall,
  wrongType,
} from '../../../../../test/support/venice/expected-issues.ts'

const types = ['text', 'image_url', 'input_audio', 'video_url', 'file']
const audioFormats = ['wav', 'mp3', 'aiff', 'aac', 'ogg', 'flac', 'm4a', 'pcm16', 'pcm24']
const imageTitle = 'Supplied image did not pass validation checks.'
const videoTitle = 'Supplied video did not pass validation checks.'
const badImage = saying(
  `${imageTitle} The URL must be a public http(s) URL, or a base64 data URL of PNG, JPEG, WebP, HEIF, HEIC or AVIF.`,
)
const badVideo = saying(
  `${videoTitle} The URL must be a public http(s) URL, or a base64 data URL of MP4, MPEG, QuickTime, MOV or WebM.`,
)
const badAudio = {
  code: 'invalid_string',
  validation: 'base64',
  message: 'Audio must stand here as base64, without a URL or a data: prefix',
}

const text = { type: 'text', text: 'x' }
const image = (url: unknown) => ({ type: 'image_url', image_url: { url } })
const video = (url: unknown) => ({ type: 'video_url', video_url: { url } })
const audio = (data: unknown, format?: unknown) => ({ type: 'input_audio', input_audio: { data, format } })
const file = (file_data: unknown, filename?: unknown) => ({ type: 'file', file: { file_data, filename } })
const picture = image('https://example.com/a.png')
const film = video('https://www.youtube.com/watch?v=abc')

/** Parts of a user's message, as engines get them. */
function partsOf(...parts: readonly unknown[]): unknown {
  return messagesOf([{ role: 'user', content: parts }])[0]?.['content']
}

function expectRefused([part, issue, ...inside]: Refusal): void {
  const messages = [{ role: 'user', content: [text, part] }]
  expect(issuesOf({ messages })).toEqual([{ ...issue, path: ['messages', 0, 'content', 1, ...inside] }])
}

describe('a part', () => {
  it.each(
    rowsOf([
      ['x', wrongType('object', 'string')],
      [null, wrongType('object', 'null')],
      [{}, noForm(types), 'type'],
      [{ type: 'input_text', text: 'x' }, noForm(types), 'type'],
      [{ type: 'hasOwnProperty' }, noForm(types), 'type'],
      [{ type: ['text'] }, noForm(types), 'type'],
    ]),
  )('that is $value is refused', ({ value, issue, inside }) => expectRefused([value, issue, ...inside]))

  it.each(types.slice(1))('of the kind %s is for users alone', type => {
    for (const role of ['system', 'developer', 'assistant']) {
      const messages = [hello, { role, content: [text, { type }] }]
      const path = ['messages', 1, 'content', 1, 'type']
      expect(issuesOf({ messages })).toEqual([{ ...saying(`Only user messages may hold ${type} parts`), path }])
    }
    const image = { role: 'system', content: [{ type: 'image', image: 'https://example.com/a.png' }] }
    expect(issuesOf({ messages: [image] })).toMatchObject([saying('Only user messages may hold image_url parts')])
  })

  it('of a kind that only users have is not offered to others', () => {
    expect(issuesOf({ messages: [{ role: 'system', content: [{ type: 'x' }] }] })).toMatchObject([noForm(['text'])])
  })
})

describe('a part of text', () => {
  it('loses what else it holds', () => {
    expect(partsOf({ ...text, annotations: [], id: 1 })).toEqual([text])
  })

  it.each(
    rowsOf([
      [{ type: 'text' }, required('string'), 'text'],
      [{ type: 'text', text: '' }, tooSmall(1, 'string'), 'text'],
      [{ type: 'text', text: 5 }, wrongType('string', 'number'), 'text'],
    ]),
  )('that is $value is refused', ({ value, issue, inside }) => expectRefused([value, issue, ...inside]))
})

describe('an image', () => {
  const inline = ['png', 'jpeg', 'jpg', 'webp', 'heif', 'heic', 'avif'].map(type => `data:image/${type};base64,AAAA`)
  it.each([
    'http://example.com/a',
    'HTTPS://EXAMPLE.com:8443/ü?x=1#y',
    'DATA:image/PNG;charset=x;base64,AA',
    ...inline,
  ])('at %s passes', url => {
    expect(partsOf(image(url))).toEqual([image(url)])
  })

  it.each([
    '',
    'a.png',
    'ftp://example.com/a.png',
    'file:///etc/passwd',
    'javascript:alert(1)',
    ' https://example.com',
    'https://',
    'https:///a',
    'https://[::1',
    'data:image/gif;base64,AAAA',
    'data:text/plain;base64,AAAA',
    'data:image/png;base64,',
    'data:image/png,AAAA',
    'data:;base64,AAAA',
    `https://example.com/${'a'.repeat(8_192)}`,
  ])('at %s does not, in the words that clients know', url => {
    expectRefused([image(url), badImage, 'image_url', 'url'])
    expect(refusalOf({ messages: [{ role: 'user', content: [image(url)] }] }).message).toBe(imageTitle)
  })

  it.each(
    rowsOf([
      [{ type: 'image_url' }, required('object'), 'image_url'],
      [{ type: 'image_url', image_url: 'https://example.com/a.png' }, wrongType('object', 'string'), 'image_url'],
      [image(undefined), required('string'), 'image_url', 'url'],
      [image(5), wrongType('string', 'number'), 'image_url', 'url'],
    ]),
  )('that is $value is refused', ({ value, issue, inside }) => expectRefused([value, issue, ...inside]))

  it.each([
    ['low', { detail: 'low' }],
    ['huge', {}],
    [null, {}],
  ])('may ask for detail %j', (detail, kept) => {
    const url = 'https://example.com/a.png'
    const expected = { type: 'image_url', image_url: { url, ...kept } }
    expect(partsOf({ type: 'image_url', image_url: { url, detail } })).toEqual([expected])
  })

  it.each([
    { type: 'image', image_url: { url: 'https://example.com/a.png' } },
    { type: 'image', image: 'https://example.com/a.png' },
    { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
  ])('written as %j is the same', part => {
    expect(partsOf(part)).toEqual([picture])
  })

  it('written as bytes becomes a data URL, and keeps its mark', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
    const cache_control = { type: 'ephemeral' }
    expect(partsOf({ type: 'image', source, cache_control })).toEqual([
      { ...image('data:image/png;base64,AAAA'), cache_control },
    ])
  })

  it.each([
    { type: 'image' },
    { type: 'image', image: 5 },
    { type: 'image', source: { type: 'base64', data: 'AAAA' } },
    { type: 'image', source: { type: 'file', file_id: 'f' } },
  ])('written as %j is nowhere', part => {
    expectRefused([part, saying('An image part needs image_url:{url}, image:"<url>" or source:{type,media_type,data}')])
  })
})

describe('audio', () => {
  it.each(audioFormats)('may be %s', format => {
    expect(partsOf(audio('AAAA', format))).toEqual([audio('AAAA', format)])
  })

  it.each([undefined, null])('of the format %j is wav', format => {
    expect(partsOf(audio('AA==', format))).toEqual([audio('AA==', 'wav')])
  })

  it.each(
    rowsOf([
      [audio('AAAA', 'midi'), notOneOf(audioFormats, 'midi'), 'input_audio', 'format'],
      [audio('https://example.com/a.wav'), badAudio, 'input_audio', 'data'],
      [audio('data:audio/wav;base64,AAAA'), badAudio, 'input_audio', 'data'],
      [audio(''), badAudio, 'input_audio', 'data'],
      [audio('AA=A'), badAudio, 'input_audio', 'data'],
      [audio(undefined), required('string'), 'input_audio', 'data'],
      [{ type: 'input_audio' }, required('object'), 'input_audio'],
    ]),
  )('that is $value is refused', ({ value, issue, inside }) => expectRefused([value, issue, ...inside]))
})

describe('a video', () => {
  const inline = ['mp4', 'mpeg', 'quicktime', 'mov', 'webm'].map(type => `data:video/${type};base64,AAAA`)
  it.each(['https://youtu.be/abc', 'https://example.com/a.mp4', ...inline])('at %s passes', url => {
    expect(partsOf(video(url))).toEqual([video(url)])
  })

  it.each([
    '',
    'rtsp://example.com/a',
    'data:video/avi;base64,AAAA',
    'data:image/png;base64,AAAA',
    'data:video/mp4;base64,',
  ])('at %s does not, in the words that clients know', url => {
    expectRefused([video(url), badVideo, 'video_url', 'url'])
    expect(refusalOf({ messages: [{ role: 'user', content: [video(url)] }] }).message).toBe(videoTitle)
  })

  it('has a URL', () => {
    expectRefused([{ type: 'video_url', video_url: {} }, required('string'), 'video_url', 'url'])
  })
})

describe('a file', () => {
  const readable = ['data:application/pdf;base64,AAAA', 'https://example.com/a.pdf', 'data:image/png;base64,AAAA']
  it.each(readable)('at %s stays one until it is paid for', data => {
    expect(partsOf(file(data, 'report.pdf'))).toEqual([file(data, 'report.pdf')])
  })

  const unreachable = 'file_data must be a base64 data URL or a public http(s) URL'
  it.each([
    ['data:application/pdf;base64,', ' ', `file: ${unreachable}`],
    ['JVBERi0=', 'a\u0000b\n.pdf', `a b .pdf: ${unreachable}`],
    ['', 'x'.repeat(100), `${'x'.repeat(64)}…: ${unreachable}`],
  ])('%s that is no file becomes text and no error', (data, name, words) => {
    expect(partsOf(text, file(data, name))).toEqual([text, { type: 'text', text: `[Error processing file ${words}]` }])
  })

  it.each(
    rowsOf([
      [{ type: 'file' }, required('object'), 'file'],
      [file(undefined), required('string'), 'file', 'file_data'],
      [file(5), wrongType('string', 'number'), 'file', 'file_data'],
      [file('x', 5), wrongType('string', 'number'), 'file', 'filename'],
    ]),
  )('that is $value is refused', ({ value, issue, inside }) => expectRefused([value, issue, ...inside]))
})

describe('the number of parts', () => {
  it.each([
    [10, 'image_url', picture],
    [5, 'input_audio', audio('AAAA')],
    [3, 'video_url', film],
    [5, 'file', file('https://example.com/a.pdf')],
  ])('is at most %i × %s in a message', (most, type, part) => {
    expect(partsOf(...Array(most).fill(part))).toHaveLength(most)
    const messages = [hello, { role: 'user', content: Array(most + 1).fill(part) }]
    expect(issuesOf({ messages })).toContainEqual({
      ...saying(`A message may hold at most ${most} ${type} parts; this one holds ${most + 1}`),
      path: ['messages', 1, 'content'],
    })
  })

  it('counts images in each spelling', () => {
    const others = Array(5).fill({ type: 'image', image: 'https://example.com/a.png' })
    const messages = [{ role: 'user', content: [...others, ...Array(6).fill(picture)] }]
    expect(issuesOf({ messages })).toMatchObject([
      saying('A message may hold at most 10 image_url parts; this one holds 11'),
    ])
  })

  it('is counted anew in each message, but for videos', () => {
    const of = (part: unknown, count: number) => ({ role: 'user', content: Array(count).fill(part) })
    expect(messagesOf([of(picture, 10), of(picture, 10)])).toHaveLength(2)
    expect(messagesOf([of(film, 2), of(film, 1)])).toHaveLength(2)
    expect(issuesOf({ messages: [of(film, 2), of(film, 2)] })).toEqual([
      { ...saying('A request may hold at most 3 video_url parts; this one holds 4'), path: ['messages'] },
    ])
  })
})

describe('marks for the prompt cache', () => {
  const cache_control = { type: 'ephemeral' }
  it.each([text, picture, film, audio('AAAA', 'wav')])('stand on %j, with a time or without', part => {
    for (const mark of [cache_control, { type: 'ephemeral', ttl: '1h' }])
      expect(partsOf({ ...part, cache_control: mark })).toEqual([{ ...part, cache_control: mark }])
    expect(partsOf({ ...part, cache_control: null })).toEqual([part])
    expect(partsOf({ ...part, cache_control: { ...cache_control, ttl: null, more: 1 } })).toEqual([
      { ...part, cache_control },
    ])
  })

  it.each(
    rowsOf([
      [{ ...text, cache_control: 'ephemeral' }, wrongType('object', 'string'), 'cache_control'],
      [
        { ...text, cache_control: { ...cache_control, ttl: 300 } },
        wrongType('string', 'number'),
        'cache_control',
        'ttl',
      ],
      [
        { ...text, cache_control: { type: 'forever' } },
        {
          code: 'invalid_literal',
          expected: 'ephemeral',
          received: 'forever',
          message: 'Invalid literal value, expected "ephemeral"',
        },
        'cache_control',
        'type',
      ],
    ]),
  )('that are $value are refused', ({ value, issue, inside }) => expectRefused([value, issue, ...inside]))

  it('are at most 4 in a request', () => {
    const marked = { ...text, cache_control }
    const system = { role: 'system', content: [marked, marked] }
    expect(messagesOf([system, { role: 'user', content: [marked, marked] }])).toHaveLength(2)
    expect(issuesOf({ messages: [system, { role: 'user', content: Array(4).fill(marked) }] })).toEqual([
      {
        ...saying('A request may hold at most 4 cache_control breakpoints; this is one more'),
        path: ['messages', 1, 'content', 2, 'cache_control'],
      },
    ])
  })
})
