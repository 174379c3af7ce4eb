import type { FastifyInstance, HTTPMethods } from 'fastify'
import { GatewayError } from '../core/gateway-error.ts'

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Answers what an address does not take with 405. `allowed` is the header as it is sent. */
export function refuseOtherMethods(scope: FastifyInstance, url: string, allowed: string): void {
  scope.route({
    method: methods.filter(method => !allowed.split(', ').includes(method)),
    url,
    // The method is wrong whatever the body is, so that no body is parsed.
    onRequest: async (request, reply) => {
      reply.raw.setHeader('allow', allowed)
      throw new GatewayError('method_not_allowed', `This address takes ${allowed}, not ${request.method}.`)
    },
    handler: () => undefined,
  })
}
