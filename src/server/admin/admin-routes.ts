import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../core/gateway-error.ts'
import { takeJsonBodies } from '../json-bodies.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { registerEngines } from './engines.ts'

/** Bodies of this API are a few settings. */
const bodyBytesMax = 65_536

/** `/admin/v1`: what an operator sees and changes while the gateway runs (operator.md §4). Needs the operator's token. */
export function registerAdmin(app: FastifyInstance, dependencies: ServerDependencies): void {
  void app.register(
    (admin, _, done) => {
      admin.addHook('onRequest', async request => {
        if (dependencies.isOperator(request.headers.authorization)) return
        throw new GatewayError('invalid_api_key', 'This address needs the operator token as `Authorization: Bearer …`.')
      })
      takeJsonBodies(admin, bodyBytesMax)
      registerEngines(admin, dependencies)
      done()
    },
    { prefix: '/admin/v1' },
  )
}
