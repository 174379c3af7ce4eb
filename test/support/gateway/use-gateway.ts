import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { Gateway, type GatewayOptions } from './gateway.ts'
import { findViolations } from './invariants.ts'
import { verifyByCommand } from './ledger-check.ts'

const startMs = 120_000
/** Long runs leave hundreds of thousands of records and log lines to check. */
const checkMs = process.env['RIALTO_TEST_LONG'] === '1' ? 180_000 : 30_000

/**
 * One gateway for all tests of a file. To be called while tests are collected; what it returns is usable within tests.
 * After each test the books, the logs, the errors and the engines are checked, and the engines start anew.
 */
export function useGateway(prepare: GatewayOptions | (() => GatewayOptions | Promise<GatewayOptions>) = {}): Gateway {
  let running: Gateway | undefined
  beforeAll(async () => {
    running = await Gateway.start(typeof prepare === 'function' ? await prepare() : prepare)
  }, startMs)
  afterEach(async () => {
    if (running === undefined) return
    const violations = await findViolations(running)
    running.forget()
    expect(violations).toEqual([])
  }, checkMs)
  afterAll(async () => {
    if (running === undefined) return
    // A gateway whose books cannot be read ends all the same.
    const report = await verifyByCommand(running.installation).finally(() => running?.close())
    expect(report).toMatchObject({ ok: true, problems: [], holdsOpen: 0 })
  }, startMs)
  return new Proxy({} as Gateway, {
    get(_, name) {
      if (running === undefined) throw new Error('the gateway runs only within tests')
      const value: unknown = Reflect.get(running, name)
      return typeof value === 'function' ? value.bind(running) : value
    },
  })
}
