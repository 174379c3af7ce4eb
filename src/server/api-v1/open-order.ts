import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import { standingHeaders } from '../../dialects/venice/encode/encode-headers.ts'
import type { KnownKey } from '../../domain/identity/types.ts'
import type { Order, Sold } from '../../pipeline/sale.ts'
import { onSocketEnd } from '../on-socket-end.ts'

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** What every order says of its buyer. */
type Buyer = Omit<Order, 'ware' | 'totalMs' | 'rates'>

/** Buys what is wanted. The work ends when the buyer leaves; headers of the answer tell how it stood before. */
type Buy = <Wanted, Made>(wanted: Wanted, sell: (order: Buyer & Wanted) => Promise<Sold<Made>>) => Promise<Made>

/** Opens an order of what this surface sells by the piece (venice.md §3). Its time runs from now. */
export function openOrder(clock: Clock, { key }: KnownKey, { request, reply }: Exchange): Buy {
  const gone = new AbortController()
  const buyer: Buyer = {
    requestId: String(reply.raw.getHeader('x-request-id')),
    principal: { accountId: key.accountId, keyId: key.id },
    surface: 'venice',
    spendsAllCurrencies: true,
    receivedAtMs: clock.now(),
    startedAtMs: clock.monotonic(),
    signal: gone.signal,
  }
  return async (wanted, sell) => {
    const stopListening = onSocketEnd(request.raw.socket, () => gone.abort())
    try {
      const { made, standing } = await sell({ ...buyer, ...wanted })
      reply.headers(standingHeaders(standing, clock.now()))
      return made
    } finally {
      stopListening()
    }
  }
}
