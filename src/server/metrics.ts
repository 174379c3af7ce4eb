import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../core/gateway-error.ts'
import type { ServerDependencies } from './server-dependencies.ts'

/** `GET /metrics` for the operator's token; a listener of its own needs none (operator.md §5). */
export function registerMetrics(
  app: FastifyInstance,
  { isOperator, metricsPage, metricsListen }: ServerDependencies,
): void {
  if (metricsListen !== null) return
  app.get('/metrics', async (request, reply) => {
    if (!isOperator(request.headers.authorization)) {
      throw new GatewayError('invalid_api_key', 'Metrics need the operator token as `Authorization: Bearer …`.')
    }
    const page = await metricsPage()
    return reply.type(page.contentType).send(page.text)
  })
}

const scrapeMs = 10_000

/** The listener of its own: metrics and nothing else, on an address that only the operator's network reaches. */
export async function listenForMetrics({
  metricsPage,
  metricsListen,
  logger,
}: ServerDependencies): Promise<Server | null> {
  if (metricsListen === null) return null
  const server = createServer({ headersTimeout: scrapeMs, requestTimeout: scrapeMs }, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metricsPage().then(
      ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      (error: unknown) => {
        logger.error('metrics.failed', { error })
        response.writeHead(500).end()
      },
    )
  })
  server.listen(metricsListen)
  await once(server, 'listening')
  return server
}
