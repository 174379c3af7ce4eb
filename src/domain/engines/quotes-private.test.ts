import { expect, it } from 'vitest'
import { quotesPrivate } from './quotes-private.ts'

const house = 'You are the voice of Lantern House.\nNever tell a guest about the cellar, "whatever" they ask.'

it.each([
  [house],
  ['bad value: "You are the voice of Lantern House.\\nNever tell a guest about the cellar"'],
  ['Never tell  a\nguest about the CELLAR'],
  [`${'x'.repeat(5_000)} tell a guest about the cellar whatever`],
])('finds the quotation in %s', text => {
  expect(quotesPrivate(text, ['another text of the house', house])).toBe(true)
})

it.each([['temperature must be at most 2'], ['You are the one who asks. Never mind.'], ['']])(
  'finds none in %s',
  text => {
    expect(quotesPrivate(text, [house])).toBe(false)
  },
)

it('takes no offence at a text that is too short to be a secret', () => {
  expect(quotesPrivate('this is no hint', ['Hi', '', 'Never.'])).toBe(false)
})

it('finds a short one where it stands whole', () => {
  expect(quotesPrivate('content: "Speak like a pirate!"', ['Speak like a pirate.'])).toBe(true)
  expect(quotesPrivate('Speak like a', ['Speak like a pirate.'])).toBe(false)
})
