import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hang } from '../mock-engine/index.ts'
import { exchangeRaw } from '../raw-http.ts'
import { findViolations, Gateway } from './index.ts'

/** The checks after each test are of use only when they can fail: each of them is made to, once. */

let gateway: Gateway

beforeAll(async () => {
  gateway = await Gateway.start()
})
afterAll(() => gateway.close())

/** What the checks say after something was done to a gateway in good order, and that they say nothing before. */
async function violationsAfter(harm: () => unknown): Promise<string[]> {
  expect(await findViolations(gateway)).toEqual([])
  await harm()
  const violations = await findViolations(gateway)
  gateway.forget()
  return violations
}

it('a request that still runs, and its hold', { timeout: 40_000 }, async () => {
  gateway.engine().always(hang({ chunks: 2 }))
  let reading: Awaited<ReturnType<Gateway['client']['openStream']>> | undefined
  const violations = await violationsAfter(async () => {
    reading = await gateway.client.openStream()
  })
  expect(violations).toEqual(['1 requests still run on engine main', '1 holds are open'])
  reading?.abort()
})

it('an engine that was spoken to wrongly', async () => {
  const violations = await violationsAfter(() => exchangeRaw(gateway.engine().port, 'NONSENSE\r\n\r\n'))
  expect(violations).toEqual([expect.stringMatching(/^engine main was spoken to wrongly/)])
})

it('a secret, a 500, an address and a stack in an error', async () => {
  const { witness, secrets } = gateway
  const violations = await violationsAfter(() => {
    witness.errors.push(
      { status: 400, text: `key ${secrets.engineKey}` },
      { status: 500, text: '{}' },
      { status: 502, text: `at 127.0.0.1:${gateway.engine().port}` },
      { status: 502, text: 'boom\n    at run (/srv/x.js:1:2)' },
    )
  })
  expect(violations).toEqual([
    expect.stringMatching(/^engineKey in /),
    expect.stringMatching(/^a 500/),
    expect.stringMatching(/^the address of engine main in /),
    expect.stringMatching(/^inner workings in /),
  ])
})

it('a stream that is not well-formed, or has no end', async () => {
  const violations = await violationsAfter(async () => {
    const reading = await gateway.client.stream()
    gateway.witness.streams.push({ ...reading, doneCount: 0, violations: ['a bare CR'] })
  })
  expect(violations).toEqual(['a stream that was not well-formed: a bare CR', 'a stream with 0 × [DONE]'])
})

it('a secret and a broken process in the output', async () => {
  const { output } = gateway.process
  const printed = [gateway.account().key, gateway.secrets.prompt, 'UnhandledPromiseRejection']
  for (const text of printed) {
    Object.defineProperty(gateway.process, 'output', { value: `${output}\n${text}\n`, configurable: true })
    expect(await findViolations(gateway)).toEqual([expect.stringMatching(/stands in the log|the output says/)])
  }
  Reflect.deleteProperty(gateway.process, 'output')
})

it('a terminal log line too many or too few', async () => {
  await gateway.client.chat()
  expect(await findViolations(gateway)).toEqual([])
  const { output } = gateway.process
  const line = output.split('\n').find(text => text.includes('"completion.ended"')) ?? ''
  const printed = [`${output}\n${line}\n`, output.replace(line, '')]
  for (const value of printed) {
    Object.defineProperty(gateway.process, 'output', { value, configurable: true })
    expect((await findViolations(gateway))[0]).toMatch(/terminal log lines for/)
  }
  Reflect.deleteProperty(gateway.process, 'output')
})

it('an answer that is not as the published document says', async () => {
  const { client, witness } = gateway
  const violations = await violationsAfter(async () => {
    await client.send('/v1/models')
    witness.surprises.push('GET /v1/models 200: / must have required property "data"')
  })
  expect(violations).toEqual([expect.stringMatching(/^GET \/v1\/models 200: /)])
})

it('books that do not agree', async () => {
  const violations = await violationsAfter(() => {
    const database = new Database(join(gateway.installation.folder, 'data', 'rialto.db'), { timeout: 5_000 })
    database.exec('update usage_records set cost_nano = cost_nano + 1')
    database.close()
  })
  expect(violations).toContain('ledger verify is not ok')
  expect(violations).toContainEqual(expect.stringMatching(/^ledger: request .* its debits say/))
})
