import fc from 'fast-check'
import { expect, it } from 'vitest'
import { elementSpans } from './json-elements.ts'

function textsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  return elementSpans(bytes, { start: 0, end: bytes.length }, 64).map(({ start, end }) =>
    bytes.toString('utf8', start, end),
  )
}

it('elements are found without the space around them', () => {
  expect(textsOf('[ {"a":[1,2]} ,"é,]" ,1e2\n, null ]')).toEqual(['{"a":[1,2]}', '"é,]"', '1e2', 'null'])
  expect(textsOf(' [] ')).toEqual([])
})

it('elements of any array are its elements', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), values => {
      expect(textsOf(JSON.stringify(values, null, 1)).map(text => JSON.parse(text))).toEqual(
        JSON.parse(JSON.stringify(values)),
      )
    }),
  )
})

it('of what is no array nothing is found', () => {
  for (const text of ['', '[1', '[1 2]', '[,]']) expect(textsOf(text)).toEqual([])
})
