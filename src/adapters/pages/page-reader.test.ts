import { expect, it } from 'vitest'
import { FakeTime } from '../../../test/support/fake-time.ts'
import { documentFailure } from '../../core/document-reader.ts'
import { FetchRefused } from '../../core/guarded-fetch.ts'
import { createPageReader } from './page-reader.ts'

const address = 'https://a.example/page'
const never = new AbortController().signal

function readerWith(reuse: { readonly ms: number; readonly isShared: boolean }) {
  const time = new FakeTime()
  let fetches = 0
  let fails = false
  const reader = createPageReader({
    fetch: async request => {
      fetches += 1
      if (fails) throw new FetchRefused('unreachable')
      return { bytes: Buffer.from('page'), contentType: 'text/html', charset: null, address: request.address }
    },
    pages: { convert: async () => ({ title: 'Page', text: `Read as number ${fetches}.`, date: null, language: null }) },
    documents: { read: async () => documentFailure('unsupported') },
    clock: time.clock,
    obeysRobots: () => false,
    reuse: () => reuse,
  })
  const read = async (accountId = 'acc_1') => {
    const reading = await reader.read(address, accountId, never)
    return reading.kind === 'page' ? reading.page.content : reading.kind
  }
  return { time, read, fail: (now: boolean) => (fails = now) }
}

it('a page is reused for its time, by the account that read it alone', async () => {
  const { time, read } = readerWith({ ms: 600_000, isShared: false })
  expect([await read(), await read()]).toEqual(['Read as number 1.', 'Read as number 1.'])
  expect([await read('acc_2'), await read()]).toEqual(['Read as number 2.', 'Read as number 1.'])
  await time.advance(600_001)
  expect(await read()).toBe('Read as number 3.')
})

it('accounts share what was read where the operator shares it', async () => {
  const { read } = readerWith({ ms: 600_000, isShared: true })
  expect([await read(), await read('acc_2')]).toEqual(['Read as number 1.', 'Read as number 1.'])
})

it('a time of 0 reuses nothing, and what could not be read is tried again', async () => {
  const { read } = readerWith({ ms: 0, isShared: true })
  expect([await read(), await read()]).toEqual(['Read as number 1.', 'Read as number 2.'])
  const failing = readerWith({ ms: 600_000, isShared: false })
  failing.fail(true)
  expect(await failing.read()).toBe('failed')
  failing.fail(false)
  expect(await failing.read()).toBe('Read as number 2.')
})
