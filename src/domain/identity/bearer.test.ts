import { expect, it } from 'vitest'
import { countCpuMs } from '../../../test/support/lapse.ts'
import { readBearer } from './bearer.ts'

it.each([
  ['Bearer vk-abc', 'vk-abc'],
  ['bearer vk-abc', 'vk-abc'],
  ['BEARER   vk-abc  ', 'vk-abc'],
])('reads %j', (header, token) => {
  expect(readBearer(header)).toBe(token)
})

it.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'vk-abc',
  'Basic dXNlcjpwdw==',
  'Bearervk-abc',
  'Bearer a b',
  'Bearer vk-ä',
  'Bearer vk-abc, Bearer vk-def',
  `Bearer ${'x'.repeat(257)}`,
  ' Bearer vk-abc',
])('finds no credential in %j', header => {
  expect(readBearer(header)).toBeNull()
})

it('judges a hostile header in no time', () => {
  const spentMs = countCpuMs()
  expect(readBearer(`Bearer ${' '.repeat(16_000)}ä`)).toBeNull()
  expect(spentMs()).toBeLessThan(500)
})
