import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../core/gateway-error.ts'
import { registerAdmin } from './admin/admin-routes.ts'
import { registerHealth } from './health.ts'
import { registerMetrics } from './metrics.ts'
import { openApiAddress, registerOpenApi } from './openapi.ts'
import type { ServerDependencies } from './server-dependencies.ts'
import { surfaces } from './surfaces.ts'

/** The ordinary routes. Health and the catalogue are open; everything else asks for a key or for the operator's token. */
export function registerRoutes(
  app: FastifyInstance,
  dependencies: ServerDependencies,
  isDraining: () => boolean,
): void {
  registerHealth(app, dependencies, isDraining)
  registerMetrics(app, dependencies)
  registerAdmin(app, dependencies)
  registerOpenApi(app, dependencies)
  for (const surface of surfaces) surface.register(app, dependencies)
  refuseOtherMethods(app)
}

const readOnlyRoutes = [
  ...surfaces.flatMap(surface => surface.readOnlyRoutes),
  openApiAddress,
  '/health/live',
  '/health/ready',
]

function refuseOtherMethods(app: FastifyInstance): void {
  for (const url of readOnlyRoutes) {
    app.route({
      method: ['POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      // The method is wrong whatever the body is, so that no body is parsed.
      onRequest: async (request, reply) => {
        reply.raw.setHeader('allow', 'GET, HEAD')
        throw new GatewayError('method_not_allowed', `This address takes GET, not ${request.method}.`)
      },
      handler: () => undefined,
    })
  }
}
