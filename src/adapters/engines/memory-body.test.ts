import { expect, it } from 'vitest'
import { settle } from '../../../test/support/fake-time.ts'
import { createMemoryBody } from './memory-body.ts'

function consume() {
  const body = createMemoryBody(Buffer.from('all of it'))
  const seen: string[] = []
  body.consume({
    onBytes: bytes => seen.push(bytes.toString()),
    onEnd: () => seen.push('end'),
    onFault: fault => seen.push(fault.kind),
  })
  return { body, seen }
}

it('delivers everything and then the end, once', async () => {
  const { body, seen } = consume()
  expect(seen).toEqual([])
  await settle()
  body.resume()
  await settle()
  expect(seen).toEqual(['all of it', 'end'])
})

it('waits while it is paused', async () => {
  const { body, seen } = consume()
  body.pause()
  await settle()
  expect(seen).toEqual([])
  body.resume()
  await settle()
  expect(seen).toEqual(['all of it', 'end'])
})

it('says nothing after it was cancelled', async () => {
  const { body, seen } = consume()
  body.cancel()
  body.resume()
  await settle()
  expect(seen).toEqual([])
})
