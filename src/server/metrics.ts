import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../core/gateway-error.ts'
import type { ServerDependencies } from './server-dependencies.ts'

/** `GET /metrics` for the operator's token; a listener of its own needs none (operator.md §5). */
export function registerMetrics(
  app: FastifyInstance,
  { isOperator, metricsPage, metricsOnMainPort }: ServerDependencies,
): void {
  if (!metricsOnMainPort) return
  app.get('/metrics', async (request, reply) => {
    if (!isOperator(request.headers.authorization)) {
      throw new GatewayError('invalid_api_key', 'Metrics need the operator token as `Authorization: Bearer …`.')
    }
    const page = await metricsPage()
    return reply.type(page.contentType).send(page.text)
  })
}
