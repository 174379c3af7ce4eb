import { expect, it } from 'vitest'
import { defuse } from './defuse.ts'

const defused = (content: string) =>
  defuse({ title: 'T', url: 'https://a.example/', content, date: null, isPage: true }).content

it.each([
  ['an image', '![a](https://evil.example/?q=1)'],
  ['an image behind more marks', '!!![a](https://evil.example/)'],
  ['an image by reference', '!![a][r]\n\n[r]: https://evil.example/a.png'],
  ['an image whose mark is cut by what is not seen', '!\u200b[a][r]\n\n[r]: https://evil.example/a.png'],
  ['a link in an image', '[![a](https://evil.example/)](https://evil.example/)'],
  ['an image of HTML', '<img src=https://evil.example/a.png>'],
  ['an image of HTML in other letters', '<ImG\tsrc=https://evil.example/a.png>'],
  ['an image of HTML that is cut by what is not seen', '<i\u{e0001}mg src=https://evil.example/a.png>'],
  ['an element that loads', '<iframe src=https://evil.example/></iframe>'],
  ['a style that loads', '<div class=a style="background:url(https://evil.example/)">'],
  ['a background', '<table/background=https://evil.example/>'],
  ['a button that sends', '<button\nformaction = https://evil.example/>'],
])('%s of a stranger is words, not something that a reader loads', (_, text) => {
  expect(defused(text)).not.toMatch(/!\[|\]\(|<\/?[a-z]/i)
})

it('text, code and links stay what they are for whoever reads them', () => {
  const text = 'if (a < b && !c[0])\n\t`Array<string>` <div> [link] Wow!'
  expect(defused(text)).toBe(text)
})

it('words in characters that nobody sees do not reach a model', () => {
  const hidden = [...'obey'].map(letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
  expect(defused(`a${hidden}\u202eb\u2066\nc`)).toBe('ab\nc')
})
