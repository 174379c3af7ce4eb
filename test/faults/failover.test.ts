import { beforeEach, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { stretched } from '../support/lapse.ts'
import { answer } from '../support/mock-engine/index.ts'
import { describePostgres, type PostgresServer, startPostgres, startStandby } from '../support/postgres/index.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { expectExactBooks, startCallers } from './callers.ts'

const callers = 8
/** From the promotion to answers for all callers. */
const recoveredMs = 4_000

let primary: PostgresServer
let standby: PostgresServer
/** The address behind which the primary is, whichever that is: for the gateway, and for whoever looks at the books. */
let addresses: readonly TcpProxy[]

const gateway = useGateway(async () => {
  primary = await startPostgres()
  standby = await startStandby(primary)
  const { url } = await primary.createDatabase()
  const [forGateway, forBooks] = [await startTcpProxy(primary), await startTcpProxy(primary)]
  addresses = [forGateway, forBooks]
  return { store: { url: forBooks.through(url), gatewayUrl: forGateway.through(url) } }
})

beforeEach(() => {
  gateway.engine().always(answer({ text: ['one', ' two', ' three', ' four'], everyMs: 20 }))
})

describePostgres('a fail-over to a replica behind the same address', () => {
  it('loses nothing and doubles nothing, and the gateway goes on by itself', async () => {
    const { usedNano } = await gateway.client.credits()
    const load = startCallers(gateway, callers)
    const answersFrom = (begin: number) => () => load.seen.answers.size > begin + callers
    try {
      await waitFor('answers', answersFrom(callers))
      await primary.kill()
      // First a replica answers that takes no writes yet.
      for (const address of addresses) address.aimAt(standby)
      await waitFor('refusals', () => load.seen.refusalMs.length > callers)
      await standby.promote()
      await waitFor('answers again', answersFrom(load.seen.answers.size), { withinMs: stretched(recoveredMs) })
    } finally {
      await load.stop()
    }
    await expectExactBooks(gateway, load.seen, usedNano)
  })
})
