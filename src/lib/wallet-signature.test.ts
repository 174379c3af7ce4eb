import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWallet } from '../../test/support/venice/wallet.ts'
import { recoverSigner } from './wallet-signature.ts'

test('a signature that other software made is known: the example of ethers', () => {
  // Of the documentation of ethers' verifyMessage.
  const signature =
    '0xddd0a7290af9526056b4e35a077b9a11b513aa0028ec6c9880948544508f3c63265e99e47ad31bb2cab9646c504576b3abc6939a1710afc08cbf3034d73214b81c'
  expect(recoverSigner('hello world', signature)).toBe('0x14791697260e4c9a71f18484c9f997b308e59325')
})

test('every wallet is recognised by what it signs, and by nothing else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      const wallet = createWallet()
      const signature = wallet.sign(text)
      expect(recoverSigner(text, signature)).toBe(wallet.address.toLowerCase())
      expect(recoverSigner(`${text}.`, signature)).not.toBe(wallet.address.toLowerCase())
    }),
    { numRuns: 20 },
  )
})

test('the last byte may be written without its base', () => {
  const wallet = createWallet()
  const signature = wallet.sign('x')
  const bare = signature.slice(0, -2) + (signature.endsWith('1b') ? '00' : '01')
  expect(recoverSigner('x', bare)).toBe(wallet.address.toLowerCase())
})

test.each([
  '',
  '0x',
  `0x${'0'.repeat(130)}`,
  `0x${'f'.repeat(130)}`,
  `0x${'1'.repeat(128)}1d`,
  `0x${'1'.repeat(129)}`,
  `0x${'1'.repeat(131)}`,
  `0x${'g'.repeat(130)}`,
  `0x${'0'.repeat(64)}${'1'.repeat(64)}1b`,
])('nobody signed with %s', signature => {
  expect(recoverSigner('x', signature)).toBeNull()
})
