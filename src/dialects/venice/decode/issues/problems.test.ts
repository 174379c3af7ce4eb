import { describe, expect, it } from 'vitest'
import { countCpuMs } from '../../../../../test/support/lapse.ts'
import { hello, issuesOf, refusalOf } from '../../../../../test/support/venice/decode-body.ts'

const wrongPart = { type: 'text', text: 5 }

describe('what is told of a request', () => {
  it('names the first field that is wrong', () => {
    expect(refusalOf({ temperature: 9 }).options.param).toBe('temperature')
    expect(refusalOf({ messages: [hello, {}] }).options.param).toBe('messages.1.role')
    expect(refusalOf({ zebra: 1 }).options.param).toBeNull()
  })

  it('has the words of a media check at its top only where nothing else is wrong', () => {
    const messages = [{ role: 'user', content: [{ type: 'image', image: 'x' }] }]
    expect(refusalOf({ messages }).message).toBe('Supplied image did not pass validation checks.')
    expect(refusalOf({ messages, temperature: 9 }).message).toBe('Invalid request parameters')
    const film = { role: 'user', content: [{ type: 'video_url', video_url: { url: 'x' } }] }
    expect(refusalOf({ messages: [...messages, film] }).message).toBe('Invalid request parameters')
  })

  it.each([
    ['messages', { messages: Array(100_000).fill(5) }],
    ['roles', { messages: Array(50_000).fill({}) }],
    ['parts', { messages: [{ role: 'user', content: Array(100_000).fill(wrongPart) }] }],
    [
      'results',
      {
        messages: [
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'u', content: Array(100_000).fill(5) }] },
        ],
      },
    ],
    ['tools', { tools: Array(100_000).fill({}) }],
    ['token ids', { stop_token_ids: Array(100_000).fill('x') }],
    ['details', { messages: [hello, { role: 'assistant', content: 'x', reasoning_details: Array(900).fill({}) }] }],
  ])('is at most a hundred issues, whatever the number of wrong %s', (_, members) => {
    const spentMs = countCpuMs()
    expect(issuesOf(members).length).toBeLessThanOrEqual(100)
    expect(spentMs()).toBeLessThan(1_000)
  })

  it('is not looked for beyond that', () => {
    const endless = Array(500).fill(5)
    Object.defineProperty(endless, 499, {
      get: () => {
        throw new Error('looked at what no issue can name')
      },
    })
    const result = { type: 'tool_result', tool_use_id: 'u', content: endless }
    for (const members of [
      { messages: endless },
      { tools: endless },
      { messages: [{ role: 'user', content: [result] }] },
    ])
      expect(issuesOf(members)).toHaveLength(100)
  })

  it('does not grow with what was sent', () => {
    const long = 'x'.repeat(1_000_000)
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`${long.slice(0, 200)}${index}`, 1]))
    for (const members of [{ verbosity: long }, { tool_choice: long }, { [long]: 1 }, many, { stop: [long, 1] }])
      expect(JSON.stringify(issuesOf(members)).length).toBeLessThan(4_000)
    expect(issuesOf(many)).toMatchObject([{ keys: { length: 20 }, message: expect.stringContaining(' and 4980 more') }])
  })

  it('does not cut a character in two', () => {
    const [issue] = issuesOf({ verbosity: `${'x'.repeat(63)}\u{1f600}\u{1f600}` })
    expect(issue).toMatchObject({ received: `${'x'.repeat(63)}…` })
  })
})
