import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../core/gateway-error.ts'
import { encodeCredits, encodeKey } from '../../dialects/venym/encode-account.ts'
import { encodeGeneration } from '../../dialects/venym/encode-generation.ts'
import type { ApiKey } from '../../domain/identity/types.ts'
import type { ServerDependencies } from '../server-dependencies.ts'

const json = 'application/json; charset=utf-8'
const generationIdCharactersMax = 100

/** What a key's holder may know of account, key and past calls (venym.md §7). Never cacheable. */
export function registerAccount(app: FastifyInstance, dependencies: ServerDependencies): void {
  const { identity, identityStore, ledger, usage, clock } = dependencies

  app.get('/v1/credits', async (request, reply) => {
    const { account } = await identity.identify(request.headers.authorization)
    const { balanceNano, heldNano, creditedNano, debitedNano } = await ledger.balance(account.id)
    const body = encodeCredits({ creditedNano, debitedNano, balanceNano, availableNano: balanceNano - heldNano })
    return reply.type(json).header('cache-control', 'private, no-store').send(body)
  })

  app.get('/v1/key', async (request, reply) => {
    const { key } = await identity.identify(request.headers.authorization)
    const spending = await identityStore.keySpending(key.id, clock.now())
    const remaining = key.limitNano === null ? null : key.limitNano - spending.spentNano - spending.heldNano
    const body = encodeKey({
      label: key.label,
      type: key.type,
      limitNano: key.limitNano,
      limitRemainingNano: remaining !== null && remaining < 0n ? 0n : remaining,
      limitReset: limitReset(key),
      usageNano: spending.usageTotalNano,
      usageDailyNano: spending.usageDailyNano,
      usageWeeklyNano: spending.usageWeeklyNano,
      usageMonthlyNano: spending.usageMonthlyNano,
      expiresAtMs: key.expiresAtMs,
      requestsPerMinute: key.requestsPerMinute,
      tokensPerMinute: key.tokensPerMinute,
      requestsPerDay: key.requestsPerDay,
      concurrency: key.concurrency,
    })
    return reply.type(json).header('cache-control', 'private, no-store').send(body)
  })

  app.get('/v1/generation', async (request, reply) => {
    const forOperator = dependencies.isOperator(request.headers.authorization)
    const accountId = forOperator ? null : (await identity.identify(request.headers.authorization)).account.id
    const { id } = request.query as { id?: unknown }
    if (typeof id !== 'string' || id === '')
      throw new GatewayError('invalid_value', '`id` must name a past completion.', { param: 'id' })
    const known = id.length <= generationIdCharactersMax
    const record = known ? await usage.findByGeneration(id, accountId) : null
    if (record === null) throw new GatewayError('not_found', 'There is no such generation.', { param: 'id' })
    const hold = await ledger.holdFacts(record.holdId)
    return reply
      .type(json)
      .header('cache-control', 'private, no-store')
      .send(encodeGeneration(record, hold, forOperator))
  })
}

function limitReset(key: ApiKey): 'daily' | 'monthly' | null {
  if (key.limitNano === null || key.period === 'lifetime') return null
  return key.period === 'epoch' ? 'daily' : 'monthly'
}
