import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../core/gateway-error.ts'
import { refuseOtherMethods } from '../refuse-other-methods.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { pageOf } from './page-of.ts'
import { readMembers } from './read-members.ts'

const json = 'application/json; charset=utf-8'

/** `GET engines`: the nodes as this gateway knows them. `POST engines/{id}/drain`: out of service, or back, everywhere. */
export function registerEngines(admin: FastifyInstance, { engines, engineDrains }: ServerDependencies): void {
  admin.get('/engines', (request, reply) => {
    const page = pageOf(engines.views(), { query: request.query, idOf: view => view.id })
    return reply.type(json).header('cache-control', 'private, no-store').send(page)
  })
  refuseOtherMethods(admin, '/engines', 'GET, HEAD')

  admin.post('/engines/:id/drain', async (request, reply) => {
    const { id } = request.params as { id: string }
    const view = await engineDrains.set(
      { id, drained: readDrain(request.body) },
      String(reply.raw.getHeader('x-request-id')),
    )
    return reply.type(json).header('cache-control', 'private, no-store').send(view)
  })
  refuseOtherMethods(admin, '/engines/:id/drain', 'POST')
}

/** Without a word about it, an engine is drained. */
function readDrain(body: unknown): boolean {
  const { drain = true } = readMembers(body, ['drain'])
  if (typeof drain === 'boolean') return drain
  throw new GatewayError('invalid_value', '`drain` must be true or false.', { param: 'drain' })
}
