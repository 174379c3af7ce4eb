import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../core/gateway-error.ts'
import { decodeAnalyticsQuery } from '../../dialects/venice/decode/decode-analytics.ts'
import { decodeHistoryQuery } from '../../dialects/venice/decode/decode-history.ts'
import { encodeBalance, retiredUsageHeaders, retiredUsageText } from '../../dialects/venice/encode/encode-billing.ts'
import { csvHeaders, encodeHistory, historyCsv } from '../../dialects/venice/encode/encode-history.ts'
import { createAddressLimit } from '../address-limit.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import type { KeyRoutes } from './key-routes.ts'
import { readPurse } from './purse.ts'
import { createUsageAnalytics } from './usage-analytics.ts'
import { readHistoryPage } from './usage-history.ts'

/** `/api/v1/billing/*`: what an account has and what it paid, for holders of an admin key (venice.md §14). */
export function registerBilling({ forAdmin }: KeyRoutes, dependencies: ServerDependencies): void {
  const { ledger, clock, secret } = dependencies
  const analyse = createUsageAnalytics(dependencies)

  forAdmin('GET', '/api/v1/billing/balance', async ({ account }) => {
    const { balances, canPay } = await readPurse(dependencies, account)
    return encodeBalance(balances, canPay)
  })

  forAdmin('GET', '/api/v1/billing/usage-history', async ({ account }, { request, reply }) => {
    const nowMs = clock.now()
    const cursors = { secret, accountId: account.id }
    const walk = decodeHistoryQuery(request.query, { ...cursors, nowMs })
    const { rows, nextCursor } = await readHistoryPage(ledger, walk, cursors)
    if (!wantsCsv(request.headers.accept)) return encodeHistory(rows, nextCursor)
    reply.headers(csvHeaders(nowMs, nextCursor))
    return historyCsv(rows)
  })

  forAdmin('GET', '/api/v1/billing/usage-analytics', ({ account }, { request }) =>
    analyse(account.id, decodeAnalyticsQuery(request.query, clock.now())),
  )
}

function wantsCsv(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes('text/csv') === true
}

type RetiredDependencies = Pick<ServerDependencies, 'publicUrl' | 'callers' | 'clock'>

/** Of one address (venice.md §5.4): whoever still asks here does not look at the answers. */
const retiredPerMinute = 60

/** The address that the history had before: gone for everybody, with and without a key. */
export function registerRetiredUsage(app: FastifyInstance, dependencies: RetiredDependencies): void {
  const { publicUrl, callers, clock } = dependencies
  const limit = createAddressLimit(retiredPerMinute, clock)
  app.get('/api/v1/billing/usage', async (request, reply) => {
    limit.take(callers.addressOf(request.raw))
    for (const [name, value] of Object.entries(retiredUsageHeaders(publicUrl))) reply.raw.setHeader(name, value)
    throw new GatewayError('gone', retiredUsageText)
  })
}
