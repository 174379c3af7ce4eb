import type { FastifyInstance } from 'fastify'
import type { ServerDependencies } from './server-dependencies.ts'

const storeHealthMs = 2_000

/** `live`: the process answers. `ready`: it can sell, which takes the store and at least one engine (operator.md §5). */
export function registerHealth(
  app: FastifyInstance,
  dependencies: ServerDependencies,
  isDraining: () => boolean,
): void {
  app.get('/health/live', () => ({ status: 'ok' }))
  app.get('/health/ready', async (request, reply) => {
    const checks = {
      store: await isStoreReady(dependencies),
      engines: dependencies.engines.hasUsableNode(),
      draining: isDraining(),
    }
    const ready = checks.store && checks.engines && !checks.draining
    const detail = dependencies.isOperator(request.headers.authorization)
      ? { checks, nodes: dependencies.engines.views() }
      : {}
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', ...detail })
  })
}

async function isStoreReady({ storeHealth }: ServerDependencies): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(resolve, storeHealthMs, false)
  })
  const answered = storeHealth().then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([answered, late])
  } finally {
    clearTimeout(timer)
  }
}
