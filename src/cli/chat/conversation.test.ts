import { expect, it } from 'vitest'
import { createConversation } from './conversation.ts'
import { renderTranscript } from './render-transcript.ts'

const free = { maxTokens: null, temperature: null }

it('asks with everything that was said, the system prompt first', () => {
  const conversation = createConversation({ model: 'a/b', system: 'Be brief.' }, { maxTokens: 9, temperature: 0.5 })
  conversation.remember('one', 'uno')
  expect(conversation.requestFor('two')).toEqual({
    model: 'a/b',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'uno' },
      { role: 'user', content: 'two' },
    ],
    stream: true,
    max_tokens: 9,
    temperature: 0.5,
  })
})

it('forgets a message that got no answer, so that it can be sent again', () => {
  const conversation = createConversation({ model: 'a/b', system: null }, free)
  conversation.remember('lost', '')
  expect(conversation.requestFor('again')).toEqual({
    model: 'a/b',
    messages: [{ role: 'user', content: 'again' }],
    stream: true,
  })
})

it('forgets what was said when told so, but not what it cost', () => {
  const conversation = createConversation({ model: 'a/b', system: null }, free)
  conversation.remember('one', 'uno')
  conversation.count({ promptTokens: 1, completionTokens: 2, costNano: 3n })
  conversation.count({ promptTokens: 1, completionTokens: 2, costNano: null })
  conversation.clear()
  expect(conversation.messages).toEqual([])
  expect(conversation.totals).toEqual({ answers: 2, tokens: 6, costNano: 3n })
})

it('can be written down as Markdown', () => {
  const conversation = createConversation({ model: 'a/b', system: 'Be\nbrief.' }, free)
  conversation.remember('one', 'uno')
  expect(renderTranscript(conversation)).toBe('# Chat with a/b\n\n> Be\n> brief.\n\n## You\n\none\n\n## a/b\n\nuno\n')
})
