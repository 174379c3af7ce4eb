import { describe, expect, it } from 'vitest'
import { findViolations, Gateway, type GatewayOptions } from '../support/gateway/index.ts'
import { runRialto } from '../support/gateway/rialto-command.ts'
import { createDatabase, describePostgres } from '../support/postgres/index.ts'

const otherSecret = 'another-secret-than-that-of-the-test'
const other = { RIALTO_SECRET: otherSecret }

function refusesAnother(prepare: () => Promise<GatewayOptions>): void {
  it('serves no gateway with another one, which is told what to do, until the operator binds it to that', async () => {
    const gateway = await Gateway.start(await prepare())
    const { installation, client } = gateway
    const rialto = (...words: string[]) =>
      runRialto({ ...installation, environment: { ...installation.environment, ...other } }, words)
    expect((await client.chat()).status).toBe(200)
    await gateway.process.stop()

    await gateway.serve({ environment: other, untilReady: false })
    expect((await gateway.process.exited).code).toBe(1)
    expect(gateway.process.output).toContain('The store was made under another secret')
    expect(gateway.process.output).not.toContain(otherSecret)
    const refused = await rialto('key', 'create', '--account', 'main')
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('RIALTO_SECRET') })
    expect((await rialto('ledger', 'verify')).code).toBe(0)

    expect((await rialto('key', 'accept-secret')).code).toBe(0)
    const { key } = JSON.parse((await rialto('key', 'create', '--account', 'main', '--json')).stdout) as { key: string }
    await gateway.serve({ environment: other })
    expect((await client.chat({}, { key })).status).toBe(200)
    expect((await client.chat()).status).toBe(401)
    expect(await findViolations(gateway)).toEqual([])
    await gateway.close()
  })
}

describe('a store in SQLite that was made under one secret', () => refusesAnother(async () => ({})))

describePostgres('a store in PostgreSQL that was made under one secret', () =>
  refusesAnother(async () => ({ store: { url: (await createDatabase()).url } })),
)
