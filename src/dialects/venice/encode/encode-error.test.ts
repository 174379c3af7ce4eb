import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../../core/gateway-error.ts'
import { gatewayFull } from '../../../core/gateway-full.ts'
import { encodeErrorEvent, veniceErrors } from './encode-error.ts'

const context = { requestId: 'req_1', path: '/', publicUrl: 'https://gw.example', operatorName: 'rialto', nowMs: 0 }

function overload(isWaitUnknown: boolean): GatewayError {
  const facts = { isWaitUnknown }
  return new GatewayError('engine_overloaded', 'Busy. Try again in 7 seconds.', { retryAfterSeconds: 7, facts })
}

describe('an overloaded model', () => {
  it('is to be asked again when its engine says', () => {
    const { headers, body } = veniceErrors.renderError(overload(false), context)
    expect(headers).toMatchObject({ 'retry-after': '7' })
    expect(JSON.parse(body)).toMatchObject({ message: 'Busy. Try again in 7 seconds.' })
    expect(JSON.parse(encodeErrorEvent(overload(false))).error.retry_after).toBe(7)
  })

  it('is to be asked again after half a minute when its engine says nothing, in a stream too', () => {
    const { headers, body } = veniceErrors.renderError(overload(true), context)
    expect(headers).toMatchObject({ 'retry-after': '30' })
    expect(JSON.parse(body)).toMatchObject({ code: 'MODEL_OVERLOADED', message: expect.stringContaining('30 seconds') })
    expect(JSON.parse(encodeErrorEvent(overload(true))).error).toMatchObject({
      code: 'model_overloaded',
      retry_after: 30,
    })
  })
})

it('a full gateway says so, and speaks of no model', () => {
  const { status, body } = veniceErrors.renderError(gatewayFull('It holds as many bodies as it can.'), context)
  expect([status, JSON.parse(body)]).toEqual([
    503,
    {
      error: 'The gateway is full. It holds as many bodies as it can. Nothing was charged; try again in 2 seconds.',
      code: 'GATEWAY_AT_CAPACITY',
    },
  ])
})
