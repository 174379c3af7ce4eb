import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../lib/json.ts'
import { findMedia, isReference } from './find-media.ts'

function found(part: JsonObject) {
  return findMedia([
    { role: 'system', content: 'x' },
    { role: 'user', content: [{ type: 'text', text: 'y' }, part] },
  ])
}

describe('a part that is not text', () => {
  it.each([
    [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }, 'image', 'data:image/png;base64,AAAA'],
    [{ type: 'image_url', image_url: 'https://a.com/b.png' }, 'image', 'https://a.com/b.png'],
    [{ image_url: { url: '/etc/passwd' } }, 'image', '/etc/passwd'],
    [{ type: 'image', image_url: { url: 'file:///etc/passwd' } }, 'image', 'file:///etc/passwd'],
    [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } }, 'audio', 'AAAA'],
    [{ type: 'video_url', video_url: { url: 'https://a.com/b' } }, 'video', 'https://a.com/b'],
    [{ type: 'file', file: { file_data: 'data:text/plain;base64,AAAA' } }, 'file', 'data:text/plain;base64,AAAA'],
    [{ type: 'audio_url', audio_url: { url: 'https://a.com/b' } }, 'other', 'https://a.com/b'],
    [{ type: 'image', image: 'http://a.com/b' }, 'other', 'http://a.com/b'],
    [{ type: 'image', source: { type: 'url', url: 'http://a.com/b' } }, 'other', 'http://a.com/b'],
    [{ type: 'file', file: { file_url: 'https://a.com/b' } }, 'other', 'https://a.com/b'],
    [{ type: 'x', image_url: 'data:image/png;base64,AA', video_url: 'http://a' }, 'other', 'http://a'],
    [{ type: 'x', image_url: 'data:image/png;base64,AA', video_url: 'data:,b' }, 'other', 'data:image/png;base64,AA'],
    [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' } },
      'image',
      'data:image/png;base64,AA',
    ],
    [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA', or: 'http://a' } }, 'other', 'http://a'],
    [{ type: 'file', file: { file_data: 'data:,a', filename: 'http://a' } }, 'file', 'data:,a'],
    [{ type: 'image_url', image_url: { url: ['http://a'] } }, 'other', 'http://a'],
    [{ type: 'image_url', image_url: ['http://a'] }, 'other', 'http://a'],
    [{ type: 'video', video: ['data:,b', 'http://a'] }, 'other', 'http://a'],
    [{ type: 'x', x: { y: [[{ url: '/etc/passwd' }]] } }, 'other', '/etc/passwd'],
    [{ type: 'audio_url', audio_url: { url: 'a.com/b' } }, 'other', 'a.com/b'],
    [{ type: 'audio_url', audio_url: { url: '//a.com/b' } }, 'other', '//a.com/b'],
    [{ type: 'audio', audio: ' \t\u0000http://a.com/b' }, 'other', ' \t\u0000http://a.com/b'],
    [{ type: 'audio', audio: 'ht\ntp://a.com/b' }, 'other', 'ht\ntp://a.com/b'],
    [{ type: 'audio', audio: 'http://a.com/b c' }, 'other', 'http://a.com/b c'],
    [{ type: 'audio', audio: 'http:a.com/b c' }, 'other', 'http:a.com/b c'],
    [{ type: 'text', text: 'x', image_url: 'https://a.com' }, 'other', 'https://a.com'],
    [{ type: 'refusal', refusal: 'x', audio_url: { url: 'https://a.com' } }, 'other', 'https://a.com'],
    [
      { type: 'tool_result', content: [{ type: 'image', source: { type: 'url', url: 'http://a' } }] },
      'other',
      'http://a',
    ],
  ])('%j is found as %s', (part, kind, source) => {
    expect(found(part)).toEqual([
      expect.objectContaining({ kind, source, part, message: 1, path: ['messages', 1, 'content', 1] }),
    ])
  })

  it.each([
    { type: 'text', text: 'see https://a.com' },
    { type: 'text', text: 'x', image_url: '', video_url: null, audio: { id: 'audio_1' } },
    { type: 'text', text: 'x', annotations: [{ url_citation: { url: 'https://a.com' } }] },
    { type: 'input_text', text: 'https://a.com' },
    { type: 'tool_use', input: { image_url: 'https://a.com' } },
    { type: 'tool_result', content: [{ type: 'text', text: 'https://a.com' }] },
    { type: 'file', file: { file_id: 'file-1' } },
    { type: 'unknown', note: 'Note: see https://a.com', more: { a: 1 } },
    { type: 'image_url' },
    { type: 'image_url', image_url: { url: 5 } },
  ])('%j holds nothing to look at', part => {
    expect(found(part)).toEqual([])
  })
})

it.each([
  ['image', 'data:image/png;base64,AAAA', false],
  ['image', 'DATA:image/png;base64,AAAA', false],
  ['image', 'https://a.com/', true],
  ['image', '/etc/passwd', true],
  ['video', 'file:/etc/passwd', true],
  ['file', 'AAAA', true],
  ['audio', 'AAAA', false],
  ['audio', 'http://a.com/', true],
  ['other', 'gs://bucket/x', true],
] as const)('a source of %s that is %s leads elsewhere: %s', (kind, source, leads) => {
  expect(isReference({ kind, source })).toBe(leads)
})
