import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../core/gateway-error.ts'
import { checkIdempotencyKey, fingerprintBody } from './idempotency-key.ts'

describe('an idempotency key', () => {
  it.each(['a', 'Order-2026_11', 'x'.repeat(255)])('may be %s', key => {
    expect(checkIdempotencyKey(key)).toBe(key)
  })

  it.each(['', 'x'.repeat(256), 'a b', 'ä', 'a,b', 'a\n', '../a'])('may not be %j', key => {
    let error: unknown
    try {
      checkIdempotencyKey(key)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(GatewayError)
    expect(error).toMatchObject({ status: 400, code: 'invalid_value', options: { param: 'Idempotency-Key' } })
  })
})

it('fingerprints a body by every one of its bytes', async () => {
  const body = Buffer.from('{"model":"a"}')
  expect(await fingerprintBody(body)).toHaveLength(32)
  expect((await fingerprintBody(Buffer.from('{"model":"a"}'))).equals(await fingerprintBody(body))).toBe(true)
  expect((await fingerprintBody(Buffer.from('{"model":"a" }'))).equals(await fingerprintBody(body))).toBe(false)
})
