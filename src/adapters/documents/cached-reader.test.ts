import { expect, it } from 'vitest'
import { type DocumentReading, documentFailure } from '../../core/document-reader.ts'
import { createCachedReader } from './cached-reader.ts'

const signal = new AbortController().signal

function scripted(readings: readonly DocumentReading[]) {
  const left = [...readings]
  const read = async () => left.shift() ?? documentFailure('disabled')
  const reader = createCachedReader({ read }, { monotonic: () => 0 })
  return (text: string, accountId = 'acc_1', name: string | null = null) =>
    reader.read({ bytes: Buffer.from(text), name, mediaType: null, accountId }, signal)
}

const text = (words: string): DocumentReading => ({
  kind: 'text',
  text: words,
  mediaType: 'text/plain',
  pages: null,
  truncated: false,
})

it('the same bytes of the same account are read once, whatever their name', async () => {
  const read = scripted([text('first'), text('second')])
  expect(await read('same', 'acc_1', 'a.txt')).toEqual(text('first'))
  expect(await read('same', 'acc_1', 'b.TXT')).toEqual(text('first'))
  expect(await read('other')).toEqual(text('second'))
})

it('nobody finds what another account sent', async () => {
  const read = scripted([text('first'), text('second')])
  expect(await read('same', 'acc_1')).toEqual(text('first'))
  expect(await read('same', 'acc_2')).toEqual(text('second'))
})

it('a failure of the file is remembered, one of the moment is not', async () => {
  const read = scripted([
    ...(['busy', 'timeout', 'broken_off', 'encrypted'] as const).map(documentFailure),
    text('never'),
  ])
  expect(await read('same')).toMatchObject({ reason: 'busy' })
  expect(await read('same')).toMatchObject({ reason: 'timeout' })
  expect(await read('same')).toMatchObject({ reason: 'broken_off' })
  expect(await read('same')).toMatchObject({ reason: 'encrypted' })
  expect(await read('same')).toMatchObject({ reason: 'encrypted' })
})
