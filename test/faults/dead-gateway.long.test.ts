import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { findFreePort } from '../support/gateway/free-port.ts'
import { GatewayProcess } from '../support/gateway/gateway-process.ts'
import { exchange } from '../support/gateway/http-exchange.ts'
import { useGateway } from '../support/gateway/index.ts'
import { answer } from '../support/mock-engine/index.ts'
import { createDatabase, describePostgres } from '../support/postgres/index.ts'
import { waitFor } from '../support/wait-for.ts'

/** What the issue promises. */
const promisedMs = 30_000
let other: GatewayProcess

const gateway = useGateway(async () => ({
  store: { url: (await createDatabase()).url },
  accounts: { narrow: { key: { concurrency: 1 } } },
}))

describePostgres('a gateway that is killed beside another one', () => {
  beforeAll(async () => {
    const folder = join(gateway.installation.folder, 'other')
    await mkdir(folder)
    const environment = { ...gateway.installation.environment, RIALTO_DATA: folder }
    other = await GatewayProcess.start({ ...gateway.installation, environment }, { port: await findFreePort() })
    atEnd(() => other.stop())
  })

  it('leaves its share of a limit and of the money to others within 30 s', async () => {
    const { key } = gateway.account('narrow')
    const body = gateway.client.encode({})
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const askOther = () =>
      exchange(`http://127.0.0.1:${other.port}/v1/chat/completions`, { method: 'POST', headers, body })
    gateway.engine().next(answer({ text: Array.from({ length: 1_000 }, () => ' word'), everyMs: 50 }))
    const reading = await gateway.client.openStream({}, { key })
    await reading.receive(5)
    expect((await askOther()).status).toBe(429)
    await gateway.process.kill()
    expect((await askOther()).status).toBe(429)
    await waitFor('the share', async () => (await askOther()).status === 200, { withinMs: promisedMs, everyMs: 250 })
    const report = await (await gateway.store()).verify()
    expect(report).toMatchObject({ ok: true, holdsOpen: 0, problems: [] })
    await gateway.serve()
  })
})
